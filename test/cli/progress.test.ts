import { expect, test } from 'vitest';
import { formatProgress, openProgress } from '../../src/cli/progress.ts';
import { columnsOf } from '../../src/cli/text.ts';

test('a known total draws a bar, an unknown one counts', () => {
  expect(formatProgress({ what: 'reading', done: 12, total: 24 }, 80)).toBe(
    `reading ${'█'.repeat(12)}${'░'.repeat(12)} 12/24`,
  );
  expect(formatProgress({ what: 'reading', done: 3, total: null }, 80)).toBe('reading 3 items');
  expect(formatProgress({ what: 'waiting', done: 0, total: null }, 80)).toBe('waiting');
});

test('the line never wraps and never overflows its bar', () => {
  const line = formatProgress({ what: 'embedding descriptions', done: 900, total: 100 }, 30);
  expect(columnsOf(line)).toBeLessThanOrEqual(29);
  expect(formatProgress({ what: 'x', done: 9, total: 3 }, 80)).toContain('█'.repeat(24));
});

/** A progress line whose clock the test sets. */
function openLine(isTerminal: boolean) {
  const written: string[] = [];
  const clock = { now: 0 };
  const write = (text: string) => written.push(text);
  const line = openProgress(isTerminal, 80, write, () => clock.now);
  return { line, written, clock };
}
const half = { what: 'x', done: 1, total: 2 };

test('work under a second draws nothing', () => {
  const { line, written, clock } = openLine(true);
  clock.now = 900;
  line.update(half);
  line.done();
  expect(written).toEqual([]);
});

test('slow work draws, no faster than the eye, and wipes its line once', () => {
  const { line, written, clock } = openLine(true);
  for (clock.now = 1100; clock.now < 1300; clock.now += 10) line.update(half);
  line.done();
  line.done();
  expect(written.length).toBe(4);
  expect(written.at(-1)).toBe('\r\u001b[K');
});

test('without a terminal nothing is ever drawn', () => {
  const { line, written, clock } = openLine(false);
  clock.now = 5000;
  line.update(half);
  line.done();
  expect(written).toEqual([]);
});
