import type { Box } from '../frame/box.ts';
import { type Canvas, onCanvas, writeCluster } from '../paint/canvas.ts';
import { type Brush, withDim } from '../paint/pens.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Full cells of a bar `width` columns wide, and the glyph of the cell after them (G-108). */
export function progressFill(
  width: number,
  value: number,
  bar: 'block' | 'eighths',
): { full: number; part: string } {
  const v = Math.min(100, Math.max(0, value));
  if (bar === 'block') return { full: Math.trunc((width * v) / 100 + 0.5), part: '' };
  const eighths = Math.floor((width * 8 * v) / 100 + 0.5);
  return { full: Math.floor(eighths / 8), part: EIGHTHS[eighths % 8]! };
}

export function paintProgress(canvas: Canvas, box: Box, { pen, owner }: Brush): void {
  if (box.ch < 1) return;
  const { full, part } = progressFill(box.cw, box.progress, box.style.bar);
  const rest = withDim(pen);
  const { x0, x1 } = onCanvas(canvas, box.childClip);
  for (let x = Math.max(x0, box.cx); x < Math.min(x1, box.cx + box.cw); x++) {
    const i = x - box.cx;
    const text = i < full ? '█' : i === full && part !== '' ? part : '░';
    const at = text === '░' ? rest : pen;
    writeCluster(canvas, box.childClip, x, box.cy, { text, width: 1 }, at, owner);
  }
}
