import type { Severity } from '../diagnostics/types.ts';
import type { Axis, Box } from '../frame/box.ts';
import { type Report, reportLayout } from '../frame/report.ts';

/** What layout knows besides the boxes. */
export interface Layout {
  readonly report: Report;
  /** Only a v3 document reads `row-gap` and `column-gap` and checks for clipping. */
  readonly isVersion3: boolean;
  /** Boxes that `L003` was reported on: `L009` leaves them alone. */
  readonly overfull: Set<Box>;
  /**
   * Outer size of a box by its content (G-059). Measuring is recursive over several files; it goes
   * through this member so that they need not import each other in a circle.
   */
  readonly intrinsic: (box: Box, axis: Axis, other: number) => number;
}

export function createLayout(
  report: Report,
  isVersion3: boolean,
  measure: (layout: Layout, box: Box, axis: Axis, other: number) => number,
): Layout {
  const layout: Layout = {
    report,
    isVersion3,
    overfull: new Set(),
    intrinsic: (box, axis, other) => measure(layout, box, axis, other),
  };
  return layout;
}

export function report(
  layout: Layout,
  box: Box,
  severity: Severity,
  code: string,
  msg: string,
): void {
  reportLayout(layout.report, box.source, severity, code, msg);
}
