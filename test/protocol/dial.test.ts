import { expect, test } from 'vitest';
import { RefusedError, SilentError } from '../../src/protocol/link/connection.ts';
import { judgeDial } from '../../src/protocol/link/dial.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ['ECONNREFUSED', 'dead'],
  ['ENOENT', 'dead'],
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
