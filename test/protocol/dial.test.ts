import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RefusedError, SilentError } from '../../src/protocol/link/connection.ts';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { dial, judgeDial } from '../../src/protocol/link/dial.ts';
import { identifySelf } from '../../src/protocol/link/process-identity.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ['ECONNREFUSED', 'dead'],
  ['ENOENT', 'dead'],
  // A link to itself, and another program's datagram socket, stand where it listened.
  ['ELOOP', 'dead'],
  ['EPROTOTYPE', 'dead'],
  ['EPERM', 'forbidden'],
  ['EACCES', 'forbidden'],
  // A full backlog of a stopped daemon: alive.
  ['EAGAIN', 'busy'],
  ['ETIMEDOUT', 'busy'],
  ['ECONNRESET', 'busy'],
  ['EMFILE', 'busy'],
])('a dial that fails with %s means %s', (code, verdict) => {
  expect(judgeDial(failure(code))).toBe(verdict);
});

test('silence is never death', () => {
  expect(judgeDial(new SilentError('no welcome'))).toBe('busy');
});

test('a refusal is told apart from both', () => {
  const refusal = { code: 'session_limit' as const, message: 'full' };
  expect(judgeDial(new RefusedError(refusal))).toBe('refused');
});

/** What a file with the socket of that name means for a client. */
async function meet(socket: unknown): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-record-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'daemon.json');
  writeFileSync(file, JSON.stringify({ ...identifySelf(), socket, tokenFile: file }));
  const record = readDaemonRecord(file);
  if (record === undefined) return 'absent';
  const introduction = {
    version: '0',
    role: 'mcp' as const,
    surface: 'library' as const,
    workspace: null,
    harness: null,
    flags: {},
    cwd: directory,
    env: {},
    pid: process.pid,
  };
  const events = { onFrame: () => {}, onClose: () => {} };
  return dial(record, introduction, events).then(() => 'connected', judgeDial);
}

test.each([
  ['', 'absent'],
  [5, 'absent'],
  // A name of digits is a name, and no TCP port.
  ['65000', 'dead'],
  ['relative.sock', 'dead'],
  [`/${'x'.repeat(300)}`, 'dead'],
  ['/a\0b', 'dead'],
])('a record whose socket is %j keeps nobody from starting a daemon', async (socket, meaning) => {
  expect(await meet(socket)).toBe(meaning);
});
