import { expect, test } from 'vitest';
import { formatAge, formatBytes, formatDuration } from '../../src/cli/measure.ts';

test('durations read as people say them', () => {
  expect([0.2, 340, 1200, 59_940, 59_960, 125_000, 12_000_000].map(formatDuration)).toEqual([
    '< 1 ms',
    '340 ms',
    '1.2 s',
    '59.9 s',
    '1 min 0 s',
    '2 min 5 s',
    '3 h 20 min',
  ]);
});

test('sizes are powers of 1024', () => {
  expect([0, 512, 1024, 1_468_006, 150 * 1024 * 1024].map(formatBytes)).toEqual([
    '0 B',
    '512 B',
    '1.0 KiB',
    '1.4 MiB',
    '150 MiB',
  ]);
});

test('ages count from the given moment; a clock that ran backwards says just now', () => {
  const now = 1_000_000_000_000;
  expect(
    [
      now + 5000,
      now - 1000,
      now - 30_000,
      now - 300_000,
      now - 7_200_000,
      now - 3 * 86_400_000,
    ].map((at) => formatAge(at, now)),
  ).toEqual(['just now', 'just now', '30 s ago', '5 min ago', '2 h ago', '3 days ago']);
});
