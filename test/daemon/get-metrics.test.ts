import { expect, test } from 'vitest';
import { getMetrics } from '../../src/protocol/admin/get-metrics.ts';
import { FRAME } from '../../src/protocol/link/frames.ts';
import { eventually } from '../eventually.ts';
import { daemonHere, noAdmin } from './in-process.ts';
import { parsed } from './raw-client.ts';

type Here = Awaited<ReturnType<typeof daemonHere>>;

function askMetrics({ connect, token }: Here) {
  const admin = connect();
  admin.hello(token, { role: 'admin' });
  let id = 0;
  return async () => {
    id += 1;
    const before = admin.frames.filter((frame) => frame.kind === FRAME.admin).length;
    admin.send(
      FRAME.admin,
      0,
      JSON.stringify({ jsonrpc: '2.0', id, method: 'metrics.get', params: { seconds: 30 } }),
    );
    await eventually(() => {
      expect(admin.frames.filter((frame) => frame.kind === FRAME.admin).length).toBe(before + 1);
    });
    const answer = parsed(admin.frames.filter((frame) => frame.kind === FRAME.admin).at(-1));
    return getMetrics.result.parse(answer['result']);
  };
}

test('metrics.get counts what MCP clients were answered, and no admin answers', async () => {
  const here = await daemonHere();
  const client = here.connect();
  client.hello(here.token);
  for (const seq of [1, 2, 3]) client.call(seq, seq, 'pid');
  await client.frame(FRAME.reply, 3);
  const ask = askMetrics(here);
  for (let i = 0; i < 3; i++) await ask();
  // The second in which they were answered is shown once it is over.
  await eventually(async () => {
    const { total } = await ask();
    expect(total.calls).toBe(3);
    expect(total.p50Ms).toBeGreaterThan(0);
  });
});

test('metrics.get passes on what the composition knows of searches and roots', async () => {
  const search = {
    id: 7,
    at: 1,
    query: 'prune a tree',
    harness: 'claude-code',
    workspace: 'global',
    ms: 2,
    matches: 1,
    best: 'pruning',
    scoring: 'reranked',
    relevance: 'strong' as const,
  };
  const polled = [{ root: '/mnt/share', reason: 'a network file system' }];
  const here = await daemonHere({
    composition: { surfaces: {}, admin: noAdmin, activity: () => ({ searches: [search], polled }) },
  });
  expect(await askMetrics(here)()).toMatchObject({ searches: [search], polled });
});
