import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { FRAME } from '../../src/protocol/link/frames.ts';
import { RawClient } from '../daemon/raw-client.ts';
import { openBench } from '../wire/bench.ts';

test('a refused hello is an MCP error that names the limit, and the next call works', async () => {
  const bench = await openBench();
  const first = bench.start();
  await first.call('pid');
  const { socket, tokenFile } = await bench.daemon();
  const token = readFileSync(tokenFile, 'utf8');
  const sessions = Array.from({ length: 511 }, () => new RawClient(socket));
  onTestFinished(() => {
    for (const session of sessions) session.socket.destroy();
  });
  for (const session of sessions) session.hello(token);
  await Promise.all(sessions.map((session) => session.frame(FRAME.welcome)));

  const late = bench.start();
  expect((await late.handshake()).result.serverInfo.name).toBe('snapshot');
  const refused = await late.call('pid');
  expect(refused.error?.message).toContain('512 sessions are open already');
  expect(refused.error?.data).toEqual({ code: 'daemon_unreachable', retryable: true });
  sessions.pop()!.socket.destroy();
  expect((await late.call('echo', { text: 'room' })).result?.value).toBe('room');
}, 60_000);

test('a surface that the daemon has not is an MCP error that says so', async () => {
  const bench = await openBench();
  const proxy = bench.start(['--surface', 'registry']);
  const refused = await proxy.call('search_skills');
  expect(refused.error?.message).toContain('this version of lectern has no registry surface');
  expect(refused.error?.data).toEqual({ code: 'unsupported_surface', retryable: false });
  expect(proxy.child.exitCode).toBeNull();
});
