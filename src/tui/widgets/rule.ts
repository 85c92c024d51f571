import type { Box } from '../frame/box.ts';
import { type Canvas, onCanvas, writeCluster } from '../paint/canvas.ts';
import type { Brush } from '../paint/pens.ts';

/** A line along the first row, or down the first column, of the outer rect (G-111). */
export function paintRule(canvas: Canvas, box: Box, { pen, owner }: Brush): void {
  const { x0, y0, x1, y1 } = onCanvas(canvas, box.clip);
  if (box.source?.axis === 'y') {
    for (let y = y0; y < y1; y++) {
      writeCluster(canvas, box.clip, box.x, y, { text: '│', width: 1 }, pen, owner);
    }
    return;
  }
  for (let x = x0; x < x1; x++) {
    writeCluster(canvas, box.clip, x, box.y, { text: '─', width: 1 }, pen, owner);
  }
}
