import { expect, test } from 'vitest';
import { killUnderLoad } from '../wire/kill-under-load.ts';
import { openLibraryBench } from '../wire/library-bench.ts';

const MINUTES = 60_000;

test(
  'a hundred kills -9 under load: no wrong answer, no hung one, and every proxy lives',
  async () => {
    const bench = openLibraryBench();
    await bench.enrol();
    const toll = await killUnderLoad(bench, 100, 4, 20_261_130);
    console.info('toll of the kills:', JSON.stringify(toll));
    expect(toll).toMatchObject({ kills: 100, wrong: [], hung: 0 });
    expect(toll.answered).toBeGreaterThan(200);
  },
  5 * MINUTES,
);
