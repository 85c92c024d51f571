import type { JsonValue } from '../data/value.ts';
import { isOk } from '../diagnostics/order.ts';
import { diagnosticMembers } from '../diagnostics/print.ts';
import type { Box } from '../frame/box.ts';
import type { Frame } from '../frame/frame.ts';
import { LazyList } from '../json/print.ts';
import { ATTRIBUTE_NAMES, holdsComplex } from '../paint/canvas.ts';
import { formatValue } from '../template/format.ts';

export interface DumpOptions {
  readonly cells: boolean;
  readonly styles: boolean;
}

/** One node of a dump, members in order (G-178); absent ones are undefined. */
export type DumpNode = {
  readonly id: string | undefined;
  readonly tag: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly text: string | undefined;
  readonly key: string | undefined;
  readonly focused: true | undefined;
  readonly selected: true | undefined;
  readonly scroll:
    | {
        readonly x: number | undefined;
        readonly y: number | undefined;
        readonly w: number | undefined;
        readonly h: number | undefined;
      }
    | undefined;
  readonly classes: readonly string[] | undefined;
  readonly checked: true | undefined;
  readonly clipped: 'text' | 'children' | undefined;
};

type DumpPart =
  | JsonValue
  | undefined
  | LazyList
  | readonly DumpPart[]
  | { readonly [member: string]: DumpPart };

/** The JSON form of a frame: members in contract order, absent ones undefined (G-176). */
export function dumpFrame(frame: Frame, options: DumpOptions): { [member: string]: DumpPart } {
  const { cols, rows, canvas, diagnostics } = frame;
  return {
    cols,
    rows,
    ok: isOk(diagnostics),
    focus: frame.focus,
    errors: diagnostics.map(diagnosticMembers),
    nodes: frame.scene.boxes.map((box) => dumpNode(frame, box)),
    grid: gridRows(frame),
    wide: holdsComplex(canvas) || undefined,
    cells: options.cells ? dumpCells(frame) : undefined,
    theme: options.styles ? frame.theme : undefined,
    styles: options.styles ? dumpStyles(frame) : undefined,
  };
}

/** The rows of the grid, each exactly `cols` columns wide (G-183). */
export function gridRows({ canvas }: Frame): string[] {
  const rows: string[] = [];
  for (let y = 0; y < canvas.rows; y++) {
    rows.push(canvas.text.slice(y * canvas.cols, (y + 1) * canvas.cols).join(''));
  }
  return rows;
}

const TEXT_KINDS = new Set(['text', 'button', 'column', 'input']);

/** One laid-out box as a node (G-178). */
export function dumpNode(frame: Frame, box: Box): DumpNode {
  const { version } = frame.document;
  const { viewport } = box;
  return {
    id: box.id ?? undefined,
    tag: box.tag,
    x: box.x,
    y: box.y,
    w: box.w,
    h: box.h,
    text: TEXT_KINDS.has(box.kind) && box.text !== '' ? box.text : undefined,
    key: box.key === undefined ? undefined : formatValue(box.key) || undefined,
    focused: box.isFocused || undefined,
    selected: box.isSelected || undefined,
    scroll: viewport
      ? {
          x: viewport.scrollsX ? viewport.x : undefined,
          y: viewport.scrollsY ? viewport.y : undefined,
          w: viewport.scrollsX ? viewport.w : undefined,
          h: viewport.scrollsY ? viewport.h : undefined,
        }
      : undefined,
    classes: version >= 2 && box.classes.length > 0 ? box.classes : undefined,
    checked: box.isChecked || undefined,
    clipped: version >= 3 ? (box.clipped ?? undefined) : undefined,
  };
}

/** One cell (G-179). */
export function dumpCell(
  { canvas }: Pick<Frame, 'canvas'>,
  x: number,
  y: number,
): { [member: string]: DumpPart } {
  const at = y * canvas.cols + x;
  const ch = canvas.text[at]!;
  const isWide = x + 1 < canvas.cols && canvas.text[at + 1] === '' && ch !== '';
  return { x, y, ch, id: canvas.owner[at] ?? undefined, w: isWide ? 2 : undefined };
}

function dumpCells(frame: Frame): LazyList {
  const { canvas } = frame;
  const { cols, rows } = canvas;
  return new LazyList(cols * rows, (i) => dumpCell({ canvas }, i % cols, Math.floor(i / cols)));
}

/** Maximal runs of equal colours and attributes, row by row (G-180). */
function dumpStyles({ canvas }: Frame): DumpPart[] {
  const { cols, rows, attributes } = canvas;
  const styleRows: DumpPart[] = [];
  for (let y = 0; y < rows; y++) {
    const spans: { [member: string]: DumpPart }[] = [];
    let start = 0;
    const isSame = (a: number, b: number) =>
      (canvas.fg[a] ?? 'default') === (canvas.fg[b] ?? 'default') &&
      (canvas.bg[a] ?? 'default') === (canvas.bg[b] ?? 'default') &&
      attributes[a] === attributes[b];
    for (let x = 1; x <= cols; x++) {
      const from = y * cols + start;
      if (x < cols && isSame(from, y * cols + x)) continue;
      spans.push({
        x: start,
        w: x - start,
        fg: canvas.fg[from] ?? 'default',
        bg: canvas.bg[from] ?? 'default',
        a: attributeNames(attributes[from]!),
      });
      start = x;
    }
    styleRows.push(spans);
  }
  return styleRows;
}

function attributeNames(bits: number): string[] | undefined {
  if (bits === 0) return undefined;
  return ATTRIBUTE_NAMES.filter(([bit]) => (bits & bit) !== 0).map(([, name]) => name);
}
