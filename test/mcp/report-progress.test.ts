import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, test } from 'vitest';
import { reportProgress } from '../../src/mcp/library/report-progress.ts';
import type { IndexProgress } from '../../src/store/indexer-port.ts';
import { enrolOrchard, startLibrary } from '../library/fixture.ts';
import { connectTo } from './connect-to.ts';

interface Sent {
  method: string;
  params: { progress: number; total: number; message: string };
}

/** The context of a call, as far as progress goes. */
function callWith(progressToken: string | undefined, sent: Sent[]) {
  const mcpReq = {
    _meta: progressToken === undefined ? undefined : { progressToken },
    notify: async (notification: Sent) => void sent.push(notification),
  };
  return { mcpReq } as unknown as Parameters<typeof reportProgress>[0];
}

test('a client that asks is told how far indexing is, by either SDK', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  const indexing = (): IndexProgress => ({ stage: 'descriptions', done: 3, total: 9 });
  Object.assign(lectern.library, { indexing });
  for (const client of [
    new ClientV1({ name: 'v1', version: '0' }),
    new ClientV2({ name: 'v2', version: '0' }),
  ]) {
    // biome-ignore lint/suspicious/noExplicitAny: the two SDKs name the transport's type differently
    await client.connect(connectTo(lectern) as any);
    const told: unknown[] = [];
    const call = { name: 'search_skills', arguments: { query: 'graft' } };
    const onprogress = (progress: unknown) => void told.push(progress);
    if (client instanceof ClientV1) await client.callTool(call, undefined, { onprogress });
    else await client.callTool(call, { onprogress });
    expect(told).toEqual([
      expect.objectContaining({
        progress: 3,
        total: 9,
        message: 'embedding descriptions: 3 of 9',
      }),
    ]);
  }
});

test('who does not ask is told nothing, and nor is anybody of an idle index', async () => {
  const sent: Sent[] = [];
  const busy = (): IndexProgress => ({ stage: 'bodies', done: 1, total: 2 });
  const idle = (): IndexProgress => ({ stage: 'idle', done: 0, total: 0 });
  expect(await reportProgress(callWith(undefined, sent), busy, async () => 'done')).toBe('done');
  expect(await reportProgress(callWith('a', sent), idle, async () => 'done')).toBe('done');
  expect(sent).toEqual([]);
});

test('progress rises through the stages, and ends with the call even when that fails', async () => {
  const sent: Sent[] = [];
  const stages: IndexProgress[] = [
    { stage: 'reading', done: 5, total: 6 },
    { stage: 'descriptions', done: 1, total: 9 },
    { stage: 'descriptions', done: 1, total: 9 },
    { stage: 'bodies', done: 2, total: 4 },
  ];
  let at = 0;
  const read = (): IndexProgress => stages[Math.min(at++, stages.length - 1)]!;
  let fail!: (error: Error) => void;
  const work = new Promise<void>((_, reject) => {
    fail = reject;
  });
  const running = reportProgress(callWith('a', sent), read, () => work);
  await expect.poll(() => at).toBeGreaterThanOrEqual(stages.length);
  fail(new Error('gone'));
  await expect(running).rejects.toThrow('gone');
  expect(sent.map(({ params }) => params.progress)).toEqual([5, 6, 8]);
  expect(sent.map(({ params }) => params.total)).toEqual([6, 14, 10]);
});
