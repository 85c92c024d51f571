import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCallMetrics, SECONDS_KEPT } from '../../daemon/metrics.ts';

/** Metrics by a clock that the test moves. */
function metricsAt(startMs: number) {
  const clock = { ms: startMs };
  return { clock, metrics: createCallMetrics(() => clock.ms) };
}

test('answers are counted in the second they were given in, the running one left out', () => {
  const { clock, metrics } = metricsAt(10_000);
  metrics.record(1);
  metrics.record(1);
  clock.ms = 11_500;
  metrics.record(1);
  clock.ms = 12_999;
  metrics.record(1);
  expect(metrics.read(3).calls).toEqual([0, 2, 1]);
});

test('a second without answers has no latency', () => {
  const { metrics } = metricsAt(5_000);
  expect(metrics.read(2)).toEqual({
    answered: 0,
    calls: [0, 0],
    p50Ms: [null, null],
    p99Ms: [null, null],
    total: { calls: 0, p50Ms: null, p99Ms: null },
  });
});

test('what is older than two minutes is not mistaken for what is new', () => {
  const { clock, metrics } = metricsAt(1_000);
  metrics.record(1);
  clock.ms = (1 + SECONDS_KEPT) * 1000 + 500;
  expect(metrics.read(SECONDS_KEPT).calls[0]).toBe(1);
  clock.ms += 1000;
  expect(metrics.read(SECONDS_KEPT).total.calls).toBe(0);
  metrics.record(1);
  clock.ms += 1000;
  expect(metrics.read(1)).toMatchObject({ calls: [1], answered: 2 });
});

test('a percentile is within 10 % of the true one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.02, max: 500_000, noNaN: true }), {
        minLength: 1,
        maxLength: 300,
      }),
      (latencies) => {
        const { clock, metrics } = metricsAt(0);
        for (const ms of latencies) metrics.record(ms);
        clock.ms = 1000;
        const sorted = [...latencies].sort((a, b) => a - b);
        const { total } = metrics.read(1);
        for (const [share, found] of [
          [0.5, total.p50Ms],
          [0.99, total.p99Ms],
        ] as const) {
          const exact = sorted[Math.ceil(sorted.length * share) - 1]!;
          expect(Math.abs(found! / exact - 1)).toBeLessThan(0.1);
        }
      },
    ),
  );
});

test('any latency is counted, however short or long', () => {
  const { clock, metrics } = metricsAt(0);
  for (const ms of [0, -1, 1e-9, 1e9, Number.MAX_VALUE]) metrics.record(ms);
  clock.ms = 1000;
  expect(metrics.read(1).total.calls).toBe(5);
});
