import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';

const GOOD = {
  pid: 7,
  startTime: '1',
  bootId: 'b',
  socket: '/s',
  version: '1.2.3',
  protocol: 1,
  tokenFile: '/t',
  bornAt: 5,
  answersAsRecorded: true,
  pidNamespace: 'pid:[1]',
};

function recordFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-record-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'daemon.json');
}

test('a record comes back as it was written', () => {
  const file = recordFile();
  writeFileSync(file, JSON.stringify(GOOD));
  expect(readDaemonRecord(file)).toEqual(GOOD);
});

test('whatever a member of the record is, it is read as of its own kind or there is no record', () => {
  const file = recordFile();
  const odd = fc.oneof(fc.jsonValue(), fc.constant({ toString: 1, valueOf: 1 }));
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(GOOD)), odd, (name, value) => {
      writeFileSync(file, JSON.stringify({ ...GOOD, [name]: value }));
      const record = readDaemonRecord(file);
      if (record === undefined) return;
      for (const [member, good] of Object.entries(GOOD)) {
        const found = record[member as keyof typeof record];
        if (found !== null) expect(typeof found, member).toBe(typeof good);
      }
    }),
  );
});
