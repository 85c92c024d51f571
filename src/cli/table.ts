import { columnsOf, cut, cutMiddle, pad } from './text.ts';

export interface Column {
  title: string;
  /** Numbers read better to the right. */
  align?: 'left' | 'right';
  /** Gives way when the terminal is narrow, the last such column first: at its end, or in its middle. */
  shrinks?: true | 'middle';
  /** Colour of a shrinking column, laid on after the cut. */
  paint?: (text: string) => string;
}

/** Space between columns. */
const GAP = 2;
/**
 * Steps that shrinking columns are cut to, all to the first before any to the
 * second: four or five words still say what it is, three still say something.
 */
const SHRUNK_TO = [24, 16] as const;

/**
 * Rows under titles, columns aligned, at most `width` columns wide as far as the
 * shrinking columns can give way. No rows, no text: a listing of nothing prints nothing.
 *
 * @param rows cells in the order of `columns`; may hold colour codes, except in shrinking columns
 * @param width Infinity cuts nothing: what goes into a pipe is for another program
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  paintTitle: (text: string) => string = (text) => text,
): string {
  if (rows.length === 0) return '';
  const widths = columns.map((column, at) =>
    Math.max(columnsOf(column.title), ...rows.map((row) => columnsOf(row[at] ?? ''))),
  );
  let excess = widths.reduce((sum, each) => sum + each, 0) + GAP * (columns.length - 1) - width;
  for (const smallest of SHRUNK_TO) {
    for (let at = columns.length - 1; at >= 0 && excess > 0; at--) {
      if (columns[at]!.shrinks === undefined) continue;
      const before = widths[at]!;
      widths[at] = Math.max(Math.min(before, smallest), before - excess);
      excess -= before - widths[at]!;
    }
  }
  const format = (cells: readonly string[], paintCell: (text: string, column: Column) => string) =>
    columns
      .map((column, at) => {
        const whole = cells[at] ?? '';
        const cell =
          column.shrinks === undefined
            ? whole
            : (column.shrinks === 'middle' ? cutMiddle : cut)(whole, widths[at]!);
        const space = pad('', widths[at]! - columnsOf(cell));
        const isLast = at === columns.length - 1;
        const painted = paintCell(cell, column);
        if (column.align === 'right') return space + painted;
        return isLast ? painted : painted + space;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const title = format(
    columns.map((column) => column.title),
    paintTitle,
  );
  return [
    title,
    ...rows.map((row) => format(row, (text, { paint }) => paint?.(text) ?? text)),
  ].join('\n');
}
