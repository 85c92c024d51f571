import { expect, test } from 'vitest';
import { nameRemoteType } from '../../daemon/indexer/filesystem.ts';

test('network file systems are recognised by their magic number', () => {
  expect(nameRemoteType(0x6969)).toBe('nfs');
  expect(nameRemoteType(0xfe534d42)).toBe('smb2');
});

test('a magic number that came as a negative number is the same', () => {
  expect(nameRemoteType(0xff534d42 | 0)).toBe('cifs');
});

test('local file systems are not remote', () => {
  for (const type of [0xef53, 0x9123683e, 0x01021994, 0x58465342]) {
    expect(nameRemoteType(type)).toBeUndefined();
  }
});
