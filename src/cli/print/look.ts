import type { Paint } from '../paint.ts';

/** How a result is shown: colours, columns, the moment that ages are counted from. */
export interface Look {
  paint: Paint;
  width: number;
  /** Columns of tables where they differ: Infinity in a pipe, where nothing is cut. */
  tableWidth?: number;
  /** Unix ms. */
  nowMs: number;
}

/** Columns that a table may take. */
export function tableWidthOf({ width, tableWidth }: Look): number {
  return tableWidth ?? width;
}
