import { BREAK_RUNS, WIDTH_RUNS } from './tables.generated.ts';

/** Grapheme break classes in the numbering of the generated tables (UAX #29). */
export const BREAK = {
  Other: 0,
  CR: 1,
  LF: 2,
  Control: 3,
  Extend: 4,
  ZWJ: 5,
  RegionalIndicator: 6,
  Prepend: 7,
  SpacingMark: 8,
  L: 9,
  V: 10,
  T: 11,
  LV: 12,
  LVT: 13,
  Pictographic: 14,
} as const;

const CODE_POINTS = 0x110000;

// A flat table of one byte a code point: 2 × 1.1 MB, of which the kernel backs only touched pages.
const breakClasses = readRuns(BREAK_RUNS, 0);
const widths = readRuns(WIDTH_RUNS, 1);

function readRuns(runs: string, fill: number): Uint8Array {
  const table = new Uint8Array(CODE_POINTS);
  if (fill !== 0) table.fill(fill);
  let at = 0;
  for (const run of runs.split(';')) {
    const [gap, length, value] = run.split(',');
    const first = at + Number.parseInt(gap!, 36);
    at = first + Number.parseInt(length!, 36);
    table.fill(Number.parseInt(value!, 36), first, at + 1);
  }
  return table;
}

export function breakClass(point: number): number {
  return breakClasses[point]!;
}

/** Columns of one code point: 0, 1 or 2 (G-084). */
export function pointWidth(point: number): number {
  return widths[point]!;
}
