import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { answerRead, READ_FAILED, READ_OK } from '../../src/protocol/link/answer-read.ts';
import { FRAME } from '../../src/protocol/link/frames.ts';

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-read-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The content, or the code of the failure. */
function ask(path: unknown): Promise<string> {
  return new Promise((resolve) => {
    const payload = Buffer.from(JSON.stringify({ path }));
    answerRead({ kind: FRAME.read, seq: 1, payload }, (_, answer) => {
      const text = answer.subarray(1).toString();
      resolve(
        answer[0] === READ_OK ? text : `${answer[0] === READ_FAILED} ${JSON.parse(text).code}`,
      );
    });
  });
}

test('a file is read whole, through links too', async () => {
  const directory = makeDirectory();
  const text = 'x'.repeat(3 * 1024 * 1024);
  writeFileSync(join(directory, 'a'), text);
  symlinkSync('a', join(directory, 'b'));
  expect((await ask(join(directory, 'b'))) === text).toBe(true);
});

test.each([0, 1, 65_535, 65_536, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1])(
  'a file of %d bytes is read to its end and no further',
  async (size) => {
    const path = join(makeDirectory(), 'a');
    const text = 'y'.repeat(size);
    writeFileSync(path, text);
    expect((await ask(path)) === text).toBe(true);
  },
);

const STATUS = '/proc/self/status';
test.skipIf(!existsSync(STATUS))('a file that says it is empty is read all the same', async () => {
  expect(statSync(STATUS).size).toBe(0);
  expect(await ask(STATUS)).toContain(`Pid:\t${process.pid}`);
});

test('pipes and devices are refused at once: nobody may wait, and /dev/stdin is the protocol', async () => {
  const pipe = join(makeDirectory(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(await ask(pipe)).toBe('true EINVAL');
  expect(await ask('/dev/zero')).toBe('true EINVAL');
});

test('a directory, a missing file and no path at all are told apart', async () => {
  expect(await ask(makeDirectory())).toBe('true EISDIR');
  expect(await ask(join(makeDirectory(), 'none'))).toBe('true ENOENT');
  expect(await ask(7)).toBe('true ENOENT');
});
