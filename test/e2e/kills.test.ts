import { expect, test } from 'vitest';
import { killUnderLoad } from '../wire/kill-under-load.ts';
import { openLibraryBench } from '../wire/library-bench.ts';

test('ten kills -9 under load: no wrong answer, no hung one, and every proxy lives', async () => {
  const bench = openLibraryBench();
  await bench.enrol();
  const toll = await killUnderLoad(bench, 10, 3, 20_261_130);
  expect(toll).toMatchObject({ kills: 10, wrong: [], hung: 0 });
  expect(toll.answered).toBeGreaterThan(10);
}, 120_000);
