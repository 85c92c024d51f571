import { columnsOf, cut, pad } from './text.ts';

export interface Column {
  title: string;
  /** Numbers read better to the right. */
  align?: 'left' | 'right';
  /** The one column that gives way when the terminal is narrow. */
  shrinks?: true;
}

/** Space between columns. */
const GAP = 2;
/** A shrinking column is never cut below this: three words still say something. */
const SMALLEST_SHRUNK = 16;

/**
 * Rows under titles, columns aligned, at most `width` columns wide as far as the
 * shrinking column can give way. No rows, no text: a listing of nothing prints nothing.
 *
 * @param rows cells in the order of `columns`; may hold colour codes, except in the shrinking column
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
  const shrinking = columns.findIndex((column) => column.shrinks === true);
  const total = widths.reduce((sum, each) => sum + each, 0) + GAP * (columns.length - 1);
  if (shrinking >= 0 && total > width) {
    const natural = widths[shrinking]!;
    widths[shrinking] = Math.max(Math.min(natural, SMALLEST_SHRUNK), natural - (total - width));
  }
  const format = (cells: readonly string[], paint: (text: string) => string): string =>
    columns
      .map((column, at) => {
        const cell = at === shrinking ? cut(cells[at] ?? '', widths[at]!) : (cells[at] ?? '');
        const space = pad('', widths[at]! - columnsOf(cell));
        const isLast = at === columns.length - 1;
        const painted = paint(cell);
        if (column.align === 'right') return space + painted;
        return isLast ? painted : painted + space;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const title = format(
    columns.map((column) => column.title),
    paintTitle,
  );
  return [title, ...rows.map((row) => format(row, (text) => text))].join('\n');
}
