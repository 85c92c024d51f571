import type { Diagnostic } from '../diagnostics/types.ts';
import type { Cascade } from '../style/cascade.ts';
import type { Theme } from '../style/types.ts';

/** What follows from the texts of a document and its sheets alone, whatever the data. */
export interface TextWork {
  /** By size and theme. */
  readonly cascades: Map<string, Cascade>;
  /** Findings that do not depend on data or size, by theme. */
  readonly findings: Map<Theme, readonly Diagnostic[]>;
}

export function newTextWork(): TextWork {
  return { cascades: new Map(), findings: new Map() };
}
