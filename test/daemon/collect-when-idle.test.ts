import { getHeapStatistics } from 'node:v8';
import { expect, onTestFinished, test, vi } from 'vitest';
import { collectWhenIdle, isWorthCollecting } from '../../daemon/collect-when-idle.ts';

const MB = 1e6;

test('an idle heap is collected from 16 MB of garbage on, or half of what lives', () => {
  expect(isWorthCollecting(35 * MB, 20 * MB, 0)).toBe(false);
  expect(isWorthCollecting(36 * MB, 20 * MB, 0)).toBe(true);
  expect(isWorthCollecting(340 * MB, 300 * MB, 0)).toBe(false);
  expect(isWorthCollecting(450 * MB, 300 * MB, 0)).toBe(true);
});

test('a thread that has work is not stopped, however much lies about', () => {
  expect(isWorthCollecting(900 * MB, 20 * MB, 0.05)).toBe(false);
});

test('what a burst leaves is given back once the thread rests', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const busy = vi.spyOn(performance, 'eventLoopUtilization');
  busy.mockReturnValue({ idle: 1, active: 0, utilization: 0 });
  onTestFinished(() => busy.mockRestore());
  onTestFinished(collectWhenIdle());
  vi.advanceTimersByTime(5_000);
  const held = () => getHeapStatistics().used_heap_size;
  const before = held();
  let burst: number[][] | undefined = Array.from({ length: 4 }, () => new Array(4e6).fill(0.5));
  expect(held() - before).toBeGreaterThan(100 * MB);
  burst = burst.length > 4 ? burst : undefined;
  vi.advanceTimersByTime(5_000);
  expect(burst).toBeUndefined();
  expect(held() - before).toBeLessThan(40 * MB);
});
