import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHeartbeat, watchHeartbeat } from '../../daemon/watchdog.ts';
import { Scope } from '../../src/core/scope.ts';

const SECOND = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** One thread's beat, and a watcher of another whose timers advance with it. */
function watched() {
  const scope = new Scope('test');
  const beats = startHeartbeat(scope);
  const hangs: number[] = [];
  watchHeartbeat(beats, (ms) => hangs.push(ms));
  return { scope, hangs };
}

test('a thread that takes its turns is left alone', () => {
  const { hangs } = watched();
  vi.advanceTimersByTime(3600 * SECOND);
  expect(hangs).toEqual([]);
});

test('one that takes no turn any more is told once, after 20 seconds', async () => {
  const { scope, hangs } = watched();
  vi.advanceTimersByTime(9 * SECOND);
  await scope.close();
  vi.advanceTimersByTime(18 * SECOND);
  expect(hangs).toEqual([]);
  vi.advanceTimersByTime(3 * SECOND);
  expect(hangs).toEqual([20 * SECOND]);
  vi.advanceTimersByTime(3600 * SECOND);
  expect(hangs).toHaveLength(1);
});

test('a clock that jumps while neither thread has a turn, as in a sleep or a stop, is no hang', () => {
  const { hangs } = watched();
  for (let night = 0; night < 20; night += 1) {
    vi.setSystemTime(Date.now() + 8 * 3600 * SECOND);
    vi.advanceTimersByTime(2 * SECOND);
  }
  expect(hangs).toEqual([]);
});
