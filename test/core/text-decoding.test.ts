import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText } from '../../src/core/text-decoding.ts';

const TEXT = 'Größe\nüber 𝛼\n';

test('UTF-8 with and without byte order mark gives the same text', () => {
  const plain = decodeText(Buffer.from(TEXT));
  const marked = decodeText(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(TEXT)]));
  expect(plain).toEqual({
    text: TEXT,
    encoding: 'utf-8',
    hadByteOrderMark: false,
    damagedLine: null,
  });
  expect(marked).toEqual({ ...plain, hadByteOrderMark: true });
});

test('UTF-16 in either byte order is told by its mark', () => {
  const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(TEXT, 'utf16le')]);
  const big = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(TEXT, 'utf16le').swap16()]);
  expect(decodeText(little)).toMatchObject({ text: TEXT, encoding: 'utf-16le', damagedLine: null });
  expect(decodeText(big)).toMatchObject({ text: TEXT, encoding: 'utf-16be', damagedLine: null });
});

test('bytes that are not UTF-8 read as replacement characters and name their line', () => {
  const bytes = Buffer.concat([
    Buffer.from('one\ntwo\nd'),
    Buffer.from([0xe9, 0x20]),
    Buffer.from('x'),
  ]);
  expect(decodeText(bytes)).toMatchObject({ text: 'one\ntwo\nd\ufffd x', damagedLine: 3 });
});

test('half a UTF-16 unit at the end is damage, not a failure', () => {
  const bytes = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from('ab', 'utf16le'),
    Buffer.from([0x61]),
  ]);
  expect(decodeText(bytes)).toMatchObject({ text: 'ab\ufffd', damagedLine: 1 });
});

test('a replacement character that the author wrote is no damage', () => {
  expect(decodeText(Buffer.from('a\ufffdb')).damagedLine).toBeNull();
});

test('law: any text that UTF-8 can hold comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.startsWith('\ufeff'));
      expect(decodeText(Buffer.from(text)).text).toBe(Buffer.from(text).toString());
    }),
  );
});

test('law: no bytes make it throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void decodeText(bytes)));
});
