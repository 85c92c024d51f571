import type { JsonValue } from '../data/value.ts';
import type { Diagnostic } from '../diagnostics/types.ts';

/**
 * What a table's rows gave, kept while the store is unchanged (G-231). Working out 10,000 rows takes
 * tens of milliseconds, and most frames only move the cursor's bar or the focus.
 */
export interface TableWork {
  readonly storeVersion: number;
  readonly elements: readonly JsonValue[];
  readonly keys: readonly JsonValue[];
  readonly findings: readonly Diagnostic[];
  /** Widest cell line of each column measured so far, by element order. */
  readonly widths: Map<number, number>;
}

/** By the element order of the table; tables in rows or templates are not kept. */
export type TableCache = Map<number, TableWork>;
