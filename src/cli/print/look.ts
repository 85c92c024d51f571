import type { Paint } from '../paint.ts';

/** How a result is shown: colours, columns, the moment that ages are counted from. */
export interface Look {
  paint: Paint;
  width: number;
  /** Unix ms. */
  nowMs: number;
}
