import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installProduct } from '../wire/installed-product.ts';
import { openLibraryBench } from '../wire/library-bench.ts';

test.each(['embedder.cjs', 'indexer.cjs', 'tui.cjs'])(
  'a package without %s: one daemon lives, and says what is missing',
  async (part) => {
    const product = installProduct();
    const file = join(product, 'dist', 'daemon', part);
    const whole = readFileSync(file);
    onTestFinished(() => writeFileSync(file, whole));
    rmSync(file);
    const bench = openLibraryBench({ product, skills: 1 });
    const proxy = bench.start();
    await proxy.handshake();
    const answer = await proxy.call('search_skills', { query: 'prune a tree' });
    expect(answer.error?.message).toContain(part);
    expect((await bench.daemon()).answersAsRecorded).toBe(false);
  },
);

test.each(['missing', 'broken'])(
  'a package whose relay is %s: the proxy says so and ends with 61, hot daemon or none',
  async (how) => {
    const product = installProduct();
    const bench = openLibraryBench({ product, skills: 1 });
    await bench.cli('daemon', 'start');
    const file = join(product, 'dist', 'relay.cjs');
    const whole = readFileSync(file);
    onTestFinished(() => writeFileSync(file, whole));
    if (how === 'missing') rmSync(file);
    else writeFileSync(file, '(() => { throw new Error("relay.cjs is broken"); })');
    for (const state of ['hot', 'none']) {
      if (state === 'none') await bench.cli('daemon', 'stop');
      const proxy = bench.start();
      proxy.sendLine('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
      expect(await proxy.exited, state).toEqual({ code: 61, signal: null });
      expect(proxy.stderr).toMatch(/its own files cannot be read: .*relay\.cjs.*\nnext: /);
    }
  },
);

test('a daemon that cannot start is told with its own last words, again and again', async () => {
  const product = installProduct();
  const file = join(product, 'dist', 'daemon', 'daemon.cjs');
  const whole = readFileSync(file);
  onTestFinished(() => writeFileSync(file, whole));
  writeFileSync(file, '(() => { throw new Error("this bundle is broken"); })');
  const bench = openLibraryBench({ product, skills: 1 });
  // The first sees births fail, the later ones wait for the limiter of births.
  for (let round = 0; round < 3; round += 1) {
    const { code, stderr } = await bench.cli('status');
    expect(code).not.toBe(0);
    expect(stderr).toContain('this bundle is broken');
  }
});
