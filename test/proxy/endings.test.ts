import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listSessions } from '../../src/protocol/admin/list-sessions.ts';
import { connectAdmin } from '../../src/protocol/client.ts';
import { eventually } from '../eventually.ts';
import { type Bench, openBench } from '../wire/bench.ts';

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'host', version: '1' },
  },
});

/** A proxy whose streams are not the usual pipes. */
function startWith(bench: Bench, stdio: (number | 'pipe')[], args: string[] = []) {
  const child = spawn(process.execPath, [join(bench.product, 'bin/lectern.js'), 'mcp', ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', ...bench.env },
    stdio: stdio as 'pipe'[],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('the end of input right behind a cancellation loses no answer to what came with it', async () => {
  const bench = await openBench();
  writeFileSync(join(bench.root, 'answer-as-recorded'), '');
  await bench.start().call('pid');
  const proxy = bench.start();
  const lines = [
    INITIALIZE,
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"pid"}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"session"}}',
  ];
  proxy.child.stdin!.end(`${lines.join('\n')}\n`);
  expect(await proxy.exited).toEqual({ code: 0, signal: null });
  expect(proxy.messages.map(({ id }) => id)).toEqual([1, 3]);
});

test('L-179 SIGTERM exits 8 after at most five seconds, although the client reads nothing', async () => {
  const bench = await openBench();
  const child = startWith(bench, ['pipe', 'pipe', 'pipe']);
  const exited = once(child, 'exit');
  // More than the pipe takes.
  const echo = { name: 'big', arguments: { bytes: 5 * 1024 * 1024 } };
  const tally = join(bench.root, 'tally');
  const write = { name: 'write', arguments: { tally, text: 'x' } };
  for (const [id, params] of [echo, write].entries()) {
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
  }
  await eventually(() => readFileSync(tally));
  child.kill('SIGTERM');
  expect(await exited).toEqual([8, null]);
}, 30_000);

test('L-179 SIGTERM exits 8 although the pipe was full before the first answer (SKIPPED without /proc)', async () => {
  if (!existsSync('/proc/self/fd')) return console.warn('SKIPPED: no pipe can be opened anew here');
  const bench = await openBench();
  writeFileSync(join(bench.root, 'answer-as-recorded'), '');
  await bench.start().call('pid');
  const pipe = join(bench.root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Both ends are ours, and nobody reads.
  const full = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(full));
  expect(() => {
    for (;;) writeSync(full, Buffer.alloc(4096));
  }).toThrow('EAGAIN');
  const end = openSync(pipe, constants.O_WRONLY);
  const child = startWith(bench, ['pipe', end, 'pipe']);
  closeSync(end);
  const exited = once(child, 'exit');
  child.stdin!.write(`${INITIALIZE}\n`);
  const admin = await connectAdmin({ env: bench.env, autostart: false, cwd: bench.root });
  onTestFinished(() => admin.close());
  // The relay is loaded behind the first answer, and connects.
  await eventually(async () => {
    const pids = (await admin.call(listSessions, {})).map(({ pid }) => pid);
    expect(pids).toContain(child.pid);
  });
  child.kill('SIGTERM');
  expect(await exited).toEqual([8, null]);
}, 30_000);

test.each([
  ['U-211 tui', ['--surface', 'tui'], 1, /^tuimark: EBADF.*\n$/],
  ['the library', [], 61, /^lectern: EBADF.*\n$/],
])('%s says in one line on stderr that its input cannot be read', async (_, args, code, said) => {
  const bench = await openBench();
  const unreadable = openSync(join(bench.root, 'unreadable'), 'w');
  const child = startWith(bench, [unreadable, 'pipe', 'pipe'], args);
  closeSync(unreadable);
  let stderr = '';
  child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk));
  expect(await once(child, 'close')).toEqual([code, null]);
  expect(stderr).toMatch(said);
});

test('a host that listens to no stderr changes no exit code', async () => {
  const bench = await openBench();
  const child = startWith(bench, ['pipe', 'pipe', 'pipe'], ['--nope']);
  child.stderr!.destroy();
  expect(await once(child, 'exit')).toEqual([2, null]);
});

test('U-213 on tui the answer to an unknown method is waited for at the end of input, whatever its name', async () => {
  const bench = await openBench();
  await bench.start().call('pid');
  const proxy = bench.start(['--surface', 'tui']);
  proxy.child.stdin!.end('{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}\n');
  expect(await proxy.exited).toEqual({ code: 0, signal: null });
  expect(proxy.messages[0]?.error?.code).toBe(-32601);
});
