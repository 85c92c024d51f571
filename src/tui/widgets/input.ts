import type { Box } from '../frame/box.ts';
import { clipContains } from '../frame/box.ts';
import { type Canvas, writeCluster, writeText } from '../paint/canvas.ts';
import { type Brush, withDim } from '../paint/pens.ts';
import { cleanText } from '../template/clean.ts';
import { cut } from '../text/fit.ts';
import { type Cluster, segment } from '../text/graphemes.ts';

export interface CursorCell {
  readonly x: number;
  readonly y: number;
}

/** Number of clusters in front of a code-point index; one that it stands in counts (G-155). */
export function clustersBefore(clusters: readonly Cluster[], caret: number): number {
  let points = 0;
  for (const [i, cluster] of clusters.entries()) {
    if (points >= caret) return i;
    points += [...cluster.text].length;
  }
  return clusters.length;
}

/** The window of an input that keeps the cursor in view (G-107). */
export function inputWindow(
  clusters: readonly Cluster[],
  caret: number,
  width: number,
): { first: number; cursor: number } {
  const widthOf = (from: number) =>
    clusters.slice(from, caret).reduce((sum, cluster) => sum + cluster.width, 0);
  let first = 0;
  let before = widthOf(0);
  if (before >= width) {
    while (first < caret && before > width - 1) before -= clusters[first++]!.width;
  }
  return { first, cursor: Math.min(before, width - 1) };
}

/** Paints an input; returns the cell of the terminal cursor when it is focused and in view. */
export function paintInput(canvas: Canvas, box: Box, brush: Brush): CursorCell | null {
  const input = box.input;
  const { cx, cy, cw, ch, childClip } = box;
  if (!input || cw < 1 || ch < 1) return null;
  const { pen, owner } = brush;
  let column = 0;
  if (box.text === '') {
    const hint = cut(input.placeholder.replaceAll('\n', ' '), cw);
    writeText(canvas, childClip, cx, cy, hint, withDim(pen), owner);
  } else {
    const shown = segment(box.text);
    const caret = clustersBefore(segment(cleanText(input.raw, { keepLf: false })), input.caret);
    const { first, cursor } = inputWindow(shown, caret, cw);
    column = cursor;
    let x = 0;
    for (const cluster of shown.slice(first)) {
      if (x + cluster.width > cw) break;
      x += writeCluster(canvas, childClip, cx + x, cy, cluster, pen, owner);
    }
  }
  if (!box.isFocused || !clipContains(childClip, cx + column, cy)) return null;
  return { x: cx + column, y: cy };
}
