import type { Box } from '../frame/box.ts';
import { type Canvas, onCanvas, writeCluster } from '../paint/canvas.ts';
import type { Brush } from '../paint/pens.ts';

const LEVELS = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** The last `width` values: what a sparkline shows (G-109). */
export function shownValues(
  series: readonly (number | null)[],
  width: number,
): readonly (number | null)[] {
  return width <= 0 ? [] : series.slice(-width);
}

/** Smallest and largest shown number, or null without any. */
export function rangeOf(values: readonly (number | null)[]): { min: number; max: number } | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === null) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? { min, max } : null;
}

/** Height of a value in eighths of a row, 0 to 8 × rows (G-109). */
export function sparkLevel(value: number, lo: number, hi: number, rows: number): number {
  if (hi <= lo) return 4 * rows;
  // Near the ends of the float range differences overflow; a power of two changes no digit.
  const scale = Number.isFinite((hi - lo) * 8 * rows) ? 1 : 2 ** -16;
  const span = hi * scale - lo * scale;
  const above = Math.min(hi, Math.max(lo, value)) * scale - lo * scale;
  const level = Math.floor((above * 8 * rows) / span + 0.5);
  return Math.min(8 * rows, Math.max(0, level));
}

export function paintSparkline(canvas: Canvas, box: Box, { pen, owner }: Brush): void {
  const values = shownValues(box.series, box.cw);
  const own = rangeOf(values);
  if (own === null) return;
  const lo = box.source?.min ?? box.range?.min ?? own.min;
  const hi = box.source?.max ?? box.range?.max ?? own.max;
  const left = box.cx + box.cw - values.length;
  const { x0, y0, x1, y1 } = onCanvas(canvas, box.childClip);
  for (let x = Math.max(x0, left); x < Math.min(x1, box.cx + box.cw); x++) {
    const value = values[x - left];
    if (value == null) continue;
    const level = sparkLevel(value, lo, hi, box.ch);
    for (let y = y0; y < Math.min(y1, box.cy + box.ch); y++) {
      const fromBottom = box.cy + box.ch - 1 - y;
      const part = Math.min(8, Math.max(0, level - 8 * fromBottom));
      if (part === 0) continue;
      writeCluster(canvas, box.childClip, x, y, { text: LEVELS[part]!, width: 1 }, pen, owner);
    }
  }
}
