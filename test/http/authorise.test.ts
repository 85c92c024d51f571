import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeOrigin, judgeToken } from '../../daemon/http/authorise.ts';
import { ensureHttpToken } from '../../daemon/http/token.ts';
import { temporary } from './client.ts';

const TOKEN = 'a'.repeat(43);

test.each(['127.0.0.1:7421', 'localhost', 'LOCALHOST:1', '[::1]:7421'])(
  'the Host header %s is ours',
  (host) => expect(judgeOrigin({ host })).toBeUndefined(),
);

test.each([
  undefined,
  '',
  'evil.example',
  'evil.example:7421',
  '127.0.0.1.evil.example',
  'evil@127.0.0.1',
  '127.0.0.1/evil',
  '[::1',
  '0.0.0.0:7421',
])('the Host header %s is refused', (host) => {
  expect(judgeOrigin({ ...(host === undefined ? {} : { host }) })?.status).toBe(403);
});

test.each(['http://evil.example', 'https://127.0.0.1.evil.example', 'null', '', 'file://'])(
  'the Origin "%s" is refused although Host is ours',
  (origin) => expect(judgeOrigin({ host: 'localhost', origin })?.status).toBe(403),
);

test.each(['http://localhost:6274', 'http://127.0.0.1:7421', 'https://[::1]'])(
  'the Origin %s of this machine passes',
  (origin) => expect(judgeOrigin({ host: 'localhost', origin })).toBeUndefined(),
);

test('only the whole token opens', () => {
  expect(judgeToken({ authorization: `Bearer ${TOKEN}` }, TOKEN)).toBeUndefined();
  expect(judgeToken({ authorization: `bearer ${TOKEN}` }, TOKEN)).toBeUndefined();
  for (const authorization of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN}a`,
    `Bearer ${TOKEN} ${TOKEN}`,
  ]) {
    const refusal = judgeToken(
      { ...(authorization === undefined ? {} : { authorization }) },
      TOKEN,
    );
    expect(refusal).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringMatching(/^Bearer/) },
    });
  }
});

test('the token is made once, for its owner alone, and kept', () => {
  const path = join(temporary(), 'http-token');
  const token = ensureHttpToken(path);
  expect(token.length).toBeGreaterThanOrEqual(43);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(ensureHttpToken(path)).toBe(token);
});

test('a token file that others could read is closed to them', () => {
  const path = join(temporary(), 'http-token');
  const token = ensureHttpToken(path);
  chmodSync(path, 0o644);
  expect(ensureHttpToken(path)).toBe(token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an empty or cut token, and a link in its place, are replaced', () => {
  const directory = temporary();
  const path = join(directory, 'http-token');
  writeFileSync(path, '\n');
  expect(ensureHttpToken(path).length).toBeGreaterThanOrEqual(43);

  const elsewhere = join(directory, 'elsewhere');
  const link = join(directory, 'link');
  writeFileSync(elsewhere, TOKEN);
  symlinkSync(elsewhere, link);
  expect(ensureHttpToken(link)).not.toBe(TOKEN);
  expect(readFileSync(elsewhere, 'utf8')).toBe(TOKEN);
});
