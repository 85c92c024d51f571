import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../daemon/log.ts';
import { LogFile } from '../../daemon/log-file.ts';
import { scrub } from '../../src/core/scrub.ts';

function logPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-log-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'logs', 'daemon.log');
}

test('L-181 records are JSON lines with ts, lower-case level, target and msg', () => {
  const path = logPath();
  const file = new LogFile(path);
  const log = openLog(file, 'debug');
  log.info('plain');
  log.child({ target: 'indexer' }).warn({ file: 'a.md' }, 'with fields');
  file.close();
  const [plain, field] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(plain).toEqual({ level: 'info', ts: expect.any(String), target: 'daemon', msg: 'plain' });
  expect(field).toEqual({
    level: 'warn',
    ts: expect.any(String),
    target: 'indexer',
    file: 'a.md',
    msg: 'with fields',
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a record is in the file when the call returns', () => {
  const path = logPath();
  openLog(new LogFile(path), undefined).info('last words');
  expect(readFileSync(path, 'utf8')).toContain('last words');
});

test('a full file is moved aside and three are kept', () => {
  const path = logPath();
  const file = new LogFile(path, 100);
  for (let n = 0; n < 12; n += 1) file.write(`${JSON.stringify({ n, pad: 'x'.repeat(60) })}\n`);
  file.close();
  expect(readdirSync(join(path, '..')).sort()).toEqual([
    'daemon.log',
    'daemon.log.1',
    'daemon.log.2',
    'daemon.log.3',
  ]);
  expect(readFileSync(path, 'utf8')).toContain('"n":11');
  expect(readFileSync(`${path}.1`, 'utf8')).toContain('"n":10');
});

test('a giant record is dropped by name', () => {
  const path = logPath();
  const file = new LogFile(path);
  openLog(file, 'info').error({ body: 'x'.repeat(100_000) }, 'too much');
  file.close();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    level: 'error',
    target: 'log',
    msg: 'a record over 64 KiB was dropped',
  });
});

test('a log that cannot be opened loses records and throws nothing', () => {
  const file = new LogFile('/dev/null/daemon.log');
  expect(() => file.write('{}\n')).not.toThrow();
});

test.each([
  ['https://bob:hunter2@host/x.git', 'https://***@host/x.git'],
  ['{"api_key":"abcdefgh"}', '{"api_key":"***"}'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
  ['GET /x?X-Amz-Signature=abc&y=1', 'GET /x?X-Amz-Signature=***&y=1'],
  ['key sk-abcdefghijklmnopqrstuvwx end', 'key *** end'],
  ['ghp_abcdefghijklmnopqrstuvwx', '***'],
  ['seen deadbeefdeadbeefdeadbeefdeadbeef here', 'seen *** here'],
  ['{\\"token\\":\\"abc\\"}', '{\\"token\\":\\"***\\"}'],
])('%s is logged as %s', (text, scrubbed) => {
  expect(scrub(text)).toBe(scrubbed);
});

test.each([
  '{"level":"info","msg":"indexed 12 entries of pear/tree"}',
  '{"hash":"deadbeefdeadbeefdeadbeefdeadbeef"}',
  'the token of a word counts as text',
])('%s is left as it is', (text) => {
  expect(scrub(text)).toBe(text);
});

test('scrubbing hostile input takes no time to speak of', () => {
  for (const unit of ['a', 'token', '://', '@', '=', 'sk-', 'f', '"']) scrub(unit.repeat(60_000));
});

test('a log that is a device is never rotated: the device would lose its name', () => {
  const path = logPath();
  mkdirSync(dirname(path));
  // By a link, so that a fault here renames the link and not the device.
  symlinkSync('/dev/null', path);
  const file = new LogFile(path, 100);
  for (let at = 0; at < 10; at += 1) file.write(`${'x'.repeat(60)}\n`);
  file.close();
  expect(readdirSync(dirname(path))).toEqual(['daemon.log']);
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
});
