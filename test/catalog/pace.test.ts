import { expect, test } from 'vitest';
import { createPacer } from '../../src/catalog/pace.ts';

test('within its slice work goes on; after it the event loop gets a turn', async () => {
  let clock = 0;
  const pacer = createPacer(undefined, () => clock);
  expect(pacer.breathe()).toBeUndefined();
  clock = 6;
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  const pause = pacer.breathe();
  expect(pause).toBeInstanceOf(Promise);
  await pause;
  expect(turns).toBe(1);
});

test('an aborted signal ends the work at the next breath', () => {
  const stop = new AbortController();
  const pacer = createPacer(stop.signal);
  const reason = new Error('closing');
  stop.abort(reason);
  expect(() => pacer.breathe()).toThrow(reason);
});
