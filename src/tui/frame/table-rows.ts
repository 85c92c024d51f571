import { bodyRows } from '../layout/table.ts';
import type { Cascade } from '../style/cascade.ts';
import { stringWidth } from '../text/graphemes.ts';
import { type Box, type Clip, createBox, intersect } from './box.ts';
import { classesWith, type Inflating } from './inflating.ts';
import { keyIdentity } from './keys.ts';
import { styleBox } from './style-tree.ts';

/** Makes, places and styles the rows of a laid-out table that are in view (G-075 step 9, G-231). */
export function generateRows(frame: Inflating, cascade: Cascade, box: Box): void {
  const table = box.table!;
  const first = box.viewport?.y ?? 0;
  const last = Math.min(first + bodyRows(box), table.keys.length);
  for (let i = first; i < last; i++) box.children.push(generateRow(frame, cascade, box, i, first));
}

function generateRow(
  frame: Inflating,
  cascade: Cascade,
  box: Box,
  index: number,
  first: number,
): Box {
  const table = box.table!;
  const template = box.source!.children.find((child) => child.kind === 'item') ?? null;
  const guards = table.rowGuards(index);
  const row = createBox({
    role: 'table-row',
    source: template ?? box.source,
    tag: 'item',
    kind: 'item',
    classes: template ? classesWith(template, guards) : [],
    parent: box,
    isDisabled: box.isDisabled,
  });
  row.activeGuards = guards;
  row.key = table.keys[index]!;
  row.rowIndex = index;
  row.isSelected = index === table.cursor;
  row.isChecked = table.checked?.has(keyIdentity(row.key)) ?? false;
  row.mark = box.mark;
  row.channel =
    table.checked !== null && box.mark !== '' ? Math.min(stringWidth(box.mark) + 1, box.cw) : 0;
  const y = box.cy + table.headerRows + index - first;
  setRect(row, box.cx, y, box.cw, box.childClip);
  const cells = table.shown.map(({ column, x, w }) => {
    const source = column.source!;
    const held = table.cellGuards(index, source);
    const cell = createBox({
      role: 'table-cell',
      source,
      tag: 'text',
      kind: 'text',
      classes: classesWith(source, held),
      parent: row,
      isDisabled: row.isDisabled,
      text: table.cellText(index, source),
    });
    cell.activeGuards = held;
    setRect(cell, x, y, w, box.childClip);
    return cell;
  });
  // `:empty` of a row counts its cells before any of them is dropped (G-016).
  row.children = cells;
  styleBox(frame, cascade, row);
  for (const cell of cells) styleBox(frame, cascade, cell);
  row.children = cells.filter((cell) => cell.style.display !== 'none');
  return row;
}

function setRect(box: Box, x: number, y: number, w: number, clip: Clip): void {
  box.x = x;
  box.y = y;
  box.w = w;
  box.h = 1;
  box.cx = x + box.channel;
  box.cy = y;
  box.cw = Math.max(0, w - box.channel);
  box.ch = 1;
  box.clip = intersect(clip, x, y, w, 1);
  box.childClip = box.clip;
}
