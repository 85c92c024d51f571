import type { Box } from '../frame/box.ts';
import { type Canvas, onCanvas, writeText } from '../paint/canvas.ts';
import type { Brush } from '../paint/pens.ts';
import { stringWidth } from '../text/graphemes.ts';
import { alignOffset, linesOf } from '../text/lines.ts';

/** A `text`, a header cell, a body cell, a tab label or a part of a hint (G-105, G-112). */
export function paintText(canvas: Canvas, box: Box, brush: Brush): void {
  const isCell = box.role === 'table-cell' || box.kind === 'column';
  const { wrap } = box.style;
  const lines = linesOf(box.text, box.cw, isCell && wrap === 'wrap' ? 'truncate' : wrap);
  const { y0, y1 } = onCanvas(canvas, box.childClip);
  const last = Math.min(isCell ? 1 : box.ch, lines.length, y1 - box.cy);
  for (let i = Math.max(0, y0 - box.cy); i < last; i++) paintLine(canvas, box, i, lines[i]!, brush);
}

/** A button: its label, in brackets unless it has a border (G-106). */
export function paintButton(canvas: Canvas, box: Box, brush: Brush): void {
  if (box.ch < 1) return;
  paintLine(canvas, box, 0, box.style.border === 'none' ? `[ ${box.text} ]` : box.text, brush);
}

function paintLine(
  canvas: Canvas,
  box: Box,
  row: number,
  line: string,
  { pen, owner }: Brush,
): void {
  const align = box.style.contentAlign;
  const offset =
    align === null || align === 'start' ? 0 : alignOffset(align, box.cw, stringWidth(line));
  writeText(canvas, box.childClip, box.cx + offset, box.cy + row, line, pen, owner);
}

/** The mark of a checked row or of the active tab, in the channel (G-113). */
export function paintMark(canvas: Canvas, box: Box, { pen, owner }: Brush): void {
  if (box.mark === '' || box.channel === 0 || box.ch < 1) return;
  const isMarked = box.role === 'tab-label' ? box.isSelected : box.isChecked;
  if (!isMarked || (box.role === 'element' && box.kind !== 'item')) return;
  writeText(canvas, box.clip, box.cx - box.channel, box.cy, box.mark, pen, owner);
}
