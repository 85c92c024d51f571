import type { Box } from '../frame/box.ts';
import { bodyRows } from '../layout/table.ts';
import { truncate } from '../text/fit.ts';
import { stringWidth } from '../text/graphemes.ts';
import { type CursorCell, paintInput } from '../widgets/input.ts';
import { paintProgress } from '../widgets/progress.ts';
import { paintRule } from '../widgets/rule.ts';
import { paintSparkline } from '../widgets/sparkline.ts';
import { paintButton, paintMark, paintText } from '../widgets/text.ts';
import { paintBorder } from './border.ts';
import { type Canvas, claim, fillSpaces, settleCanvas, writeText } from './canvas.ts';
import { type Brush, fillPen, isVisible, textPen, withDim } from './pens.ts';

/**
 * Paints a screen and its open modals (G-096).
 *
 * @returns the cell of the terminal cursor, when a focused input shows it (G-115)
 */
export function paintFrame(canvas: Canvas, screen: Box, modals: readonly Box[]): CursorCell | null {
  let cursor: CursorCell | null = null;
  const paint = (box: Box, outerOwner: string | null) => {
    const owner = box.id ?? outerOwner;
    const { clip } = box;
    const isOnCanvas = clip.x0 < clip.x1 && clip.y0 < clip.y1;
    if (isOnCanvas && isVisible(box)) cursor = paintBox(canvas, box, owner) ?? cursor;
    // Outside its clip nothing of a subtree is painted (G-050), so long lists cost what shows.
    if (isOnCanvas) for (const child of box.children) paint(child, owner);
    if (isOnCanvas && isVisible(box) && box.table) paintPlaceholder(canvas, box, owner);
  };
  paint(screen, null);
  for (const modal of modals) paint(modal, screen.id);
  settleCanvas(canvas);
  return cursor;
}

function paintBox(canvas: Canvas, box: Box, owner: string | null): CursorCell | null {
  const { style } = box;
  if (style.background !== null || box.kind === 'modal' || style.reverse) {
    fillSpaces(canvas, box.clip, fillPen(style), owner);
  } else if (box.id !== null) {
    claim(canvas, box.clip, owner);
  }
  paintBorder(canvas, box, owner);
  const brush: Brush = { pen: textPen(style), owner };
  const cursor = paintContent(canvas, box, brush);
  paintMark(canvas, box, brush);
  return cursor;
}

function paintContent(canvas: Canvas, box: Box, brush: Brush): CursorCell | null {
  switch (box.kind) {
    case 'text':
    case 'column':
      paintText(canvas, box, brush);
      return null;
    case 'button':
      paintButton(canvas, box, brush);
      return null;
    case 'input':
      return paintInput(canvas, box, brush);
    case 'progress':
      paintProgress(canvas, box, brush);
      return null;
    case 'sparkline':
      paintSparkline(canvas, box, brush);
      return null;
    case 'rule':
      paintRule(canvas, box, brush);
      return null;
    default:
      return null;
  }
}

/** What a table without rows says on its first body row (G-114). */
function paintPlaceholder(canvas: Canvas, box: Box, owner: string | null): void {
  const table = box.table!;
  if (table.keys.length > 0 || table.placeholder === null || bodyRows(box) < 1) return;
  const text = truncate(table.placeholder.replaceAll('\n', ' '), box.cw);
  const x = box.cx + Math.floor((box.cw - stringWidth(text)) / 2);
  const pen = withDim(textPen(box.style));
  writeText(canvas, box.childClip, x, box.cy + table.headerRows, text, pen, owner);
}
