import type { Severity } from '../diagnostics/types.ts';
import type { Box } from '../frame/box.ts';
import { type Report, reportLayout } from '../frame/report.ts';

/** What layout knows besides the boxes. */
export interface Layout {
  readonly report: Report;
  /** Only a v3 document reads `row-gap` and `column-gap` and checks for clipping. */
  readonly isVersion3: boolean;
  /** Boxes that `L003` was reported on: `L009` leaves them alone. */
  readonly overfull: Set<Box>;
}

export function createLayout(report: Report, isVersion3: boolean): Layout {
  return { report, isVersion3, overfull: new Set() };
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
