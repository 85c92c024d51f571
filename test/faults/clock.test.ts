import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultOf, openLibraryBench } from '../wire/library-bench.ts';
import { startDaemonsWith } from '../wire/start-with.ts';

const MINUTES = 60_000;
const CLOCK = join(import.meta.dirname, 'jumping-clock.cjs');
const HOUR = 3_600_000;

/** Where the clock is put, in turn: far ahead, back before everything began, and right again. */
const JUMPS = [10 * 365 * 24 * HOUR, -2 * 24 * HOUR, 0];

test(
  'a clock that jumps ahead, back and right again: answers, saves, births and new sessions go on',
  async () => {
    const bench = openLibraryBench();
    const clock = join(bench.home, 'clock');
    writeFileSync(clock, '0');
    Object.assign(bench.env, { LECTERN_CLOCK: clock });
    const jumping = { env: { NODE_OPTIONS: `--require ${CLOCK}` } };
    startDaemonsWith(bench, CLOCK);
    await bench.enrol();
    const proxy = bench.start([], jumping);
    await proxy.handshake();
    for (const [at, jump] of JUMPS.entries()) {
      writeFileSync(clock, String(jump));
      for (let n = 0; n < 9; n += 1) {
        const question = bench.question(n);
        expect(faultOf(question, await proxy.call(question.tool, question.args))).toBeUndefined();
      }
      // A save while the clock is off is found like any other.
      const verb = ['Varnish', 'Dismantle', 'Weigh'][at]!;
      bench.write('anvil', verb);
      const found = await proxy.call('search_skills', { query: `${verb} the anvil` });
      const { matches, stale } = found.result!.structuredContent;
      expect(matches[0]).toMatchObject({ name: 'anvil-care' });
      expect(matches[0].description).toContain(verb);
      expect(stale ?? false).toBe(false);
      // And so are a death, a birth and a session.
      rmSync(join(bench.paths.root, 'births.json'), { force: true });
      process.kill((await bench.daemon()).pid, 'SIGKILL');
      const late = bench.start([], jumping);
      for (const client of [proxy, late]) {
        const question = bench.question(at);
        expect(faultOf(question, await client.call(question.tool, question.args))).toBeUndefined();
      }
      expect(bench.daemonPids()).toHaveLength(1);
    }
  },
  3 * MINUTES,
);
