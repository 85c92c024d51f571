import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBench } from '../wire/bench.ts';

test('a first answer larger than a pipe arrives whole, before the second', async () => {
  const bench = await openBench();
  await bench.start().call('pid');
  const proxy = bench.start();
  const bytes = 1_000_000;
  const [first, second] = await Promise.all([
    proxy.call('big', { bytes }),
    proxy.call('echo', { text: 'behind' }),
  ]);
  expect(Buffer.byteLength(first.result.value)).toBe(bytes);
  expect(second.result.value).toBe('behind');
  expect(proxy.messages.map(({ id }) => id)).toEqual([1, 2]);
});

test.each([
  ['ping', 'the daemon', undefined],
  [
    'initialize',
    'the record',
    {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'host', version: '1' },
    },
  ],
])(
  'a client that reads nothing any more ends the proxy with 61: its first line is %s, which %s answers',
  async (method, _who, params) => {
    const bench = await openBench();
    writeFileSync(join(bench.root, 'answer-as-recorded'), '');
    await bench.start().call('pid');
    const proxy = bench.start();
    proxy.child.stdout!.destroy();
    proxy.sendLine(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    expect((await proxy.exited).code).toBe(61);
  },
);
