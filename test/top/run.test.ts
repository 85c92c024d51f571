import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Feed } from '../../src/top/feed.ts';
import { runTop } from '../../src/top/run.ts';
import type { TuiIo } from '../../src/tui/commands/io.ts';
import { nodeFiles } from '../../src/tui/files/node.ts';
import { eventually } from '../eventually.ts';
import { busySnapshot } from './fixture.ts';

/** A terminal that keeps what is written to it, and whether it is raw. */
function terminal() {
  const state = { written: '', isRaw: false };
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => {
      state.isRaw = raw;
    },
  });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 30 });
  stdout.on('data', (chunk) => (state.written += chunk));
  const io: TuiIo = {
    files: nodeFiles('/'),
    stdin,
    stdout,
    stderr: stdout,
    env: { TERM: 'xterm' },
  };
  return { io, state, press: (keys: string) => stdin.write(keys) };
}

async function start(refresh: (call: number) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-top-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const logFile = join(folder, 'daemon.log');
  await writeFile(logFile, '{"ts":"t","level":"info","target":"daemon","msg":"listening"}\n');
  const screen = terminal();
  let calls = 0;
  let isClosed = false;
  const feed: Feed = {
    snapshot: busySnapshot(),
    refresh: () => refresh(++calls),
    close: () => {
      isClosed = true;
    },
  };
  const ended = runTop({
    feed,
    io: screen.io,
    depth: '16',
    logFile,
    home: '/home/ada',
    intervalMs: 5,
  });
  return { ...screen, ended, logFile, isClosed: () => isClosed };
}

const LEFT = '\u001b[?1049l';

test('q ends it: the terminal is given back, the connection closed', async () => {
  const { state, press, ended, isClosed } = await start(async () => {});
  await eventually(() => expect(state.written).toContain('claude-code'));
  expect(state.isRaw).toBe(true);
  press('q');
  expect(await ended).toBe(0);
  expect(state.isRaw).toBe(false);
  expect(state.written.endsWith(LEFT)).toBe(true);
  expect(isClosed()).toBe(true);
});

test('a fault of its own gives the terminal back and is told as an error', async () => {
  const { state, ended } = await start(async (call) => {
    if (call > 2) throw new TypeError('a fault');
  });
  await expect(ended).rejects.toMatchObject({
    category: 'internal',
    message: expect.stringContaining('a fault'),
  });
  expect(state.isRaw).toBe(false);
  expect(state.written.endsWith(LEFT)).toBe(true);
});

test('a terminal that goes away ends it', async () => {
  const { io, state, ended } = await start(async () => {});
  await eventually(() => expect(state.written).toContain('claude-code'));
  io.stdin.push(null);
  expect(await ended).toBe(0);
  expect(state.isRaw).toBe(false);
});

test('the log is followed while it is written', async () => {
  const { state, press, ended, logFile } = await start(async () => {});
  await eventually(() => expect(state.written).toContain('claude-code'));
  press('l');
  await eventually(() => expect(state.written).toContain('listening'));
  await writeFile(logFile, '{"ts":"t","level":"warn","target":"x","msg":"later"}\n', { flag: 'a' });
  await eventually(() => expect(state.written).toContain('later'));
  press('q');
  await ended;
});
