import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GIVEN_UP_MS, NOTED_MS, watchSilence } from '../../src/protocol/watch-silence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch() {
  const events = { ask: vi.fn(), onSilent: vi.fn(), onGivenUp: vi.fn() };
  return { ...events, silence: watchSilence(events) };
}

test('a daemon that says nothing is asked, then named once, then given up', () => {
  const { silence, ask, onSilent, onGivenUp } = watch();
  const settle = silence.expect();
  vi.advanceTimersByTime(NOTED_MS - 1);
  expect(ask).toHaveBeenCalled();
  expect(onSilent).not.toHaveBeenCalled();
  vi.advanceTimersByTime(GIVEN_UP_MS - NOTED_MS);
  expect(onSilent).toHaveBeenCalledOnce();
  expect(onGivenUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onGivenUp).toHaveBeenCalledOnce();
  settle();
  expect(vi.getTimerCount()).toBe(0);
});

test('whatever the gaps, who is heard within five seconds each time is neither named nor given up', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: NOTED_MS - 1 }), { maxLength: 60 }), (gaps) => {
      const { silence, onSilent, onGivenUp } = watch();
      const settle = silence.expect();
      for (const gap of gaps) {
        vi.advanceTimersByTime(gap);
        silence.hear();
      }
      settle();
      expect(onSilent).not.toHaveBeenCalled();
      expect(onGivenUp).not.toHaveBeenCalled();
    }),
  );
});

test('silence while nothing is awaited is no silence', () => {
  const { silence, ask, onSilent } = watch();
  silence.expect()();
  vi.advanceTimersByTime(2 * GIVEN_UP_MS);
  expect(ask).not.toHaveBeenCalled();
  const settle = silence.expect();
  vi.advanceTimersByTime(NOTED_MS - 1);
  expect(onSilent).not.toHaveBeenCalled();
  settle();
});
