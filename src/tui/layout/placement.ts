import type { Box } from '../frame/box.ts';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Where a child's outer rect goes, and whether its content gave the size. */
export interface Placement extends Rect {
  readonly box: Box;
  readonly isAutoWidth: boolean;
  readonly isAutoHeight: boolean;
}
