export type Severity = 'error' | 'warning';

/**
 * One finding (U-118). Absent parts are `''` or 0, so that comparisons need no special cases; the
 * writers leave them out.
 */
export interface Diagnostic {
  readonly severity: Severity;
  readonly code: string;
  readonly msg: string;
  /** Base name of the document or sheet, `''` when unnamed. */
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly path: string;
  readonly id: string;
}
