/** A dotted path (U-041): `source` as written, `segments` split at the dots. */
export interface Path {
  readonly source: string;
  readonly segments: readonly string[];
}

/** `path` or `!path` (U-041, U-067). */
export interface Guard {
  readonly source: string;
  readonly negated: boolean;
  readonly path: Path;
}

/** `true`, `false` or a guard. */
export type Flag = boolean | Guard;

/** `class:NAME="guard"`. */
export interface ClassGuard {
  readonly name: string;
  readonly guard: Guard;
}

/** `each="PATH as ALIAS"` (U-077). */
export interface EachClause {
  readonly source: string;
  readonly path: Path;
  readonly alias: string;
}

/**
 * Literal text with insertions (U-061). A template that had an error, and every literal attribute,
 * has exactly one string part (or none when empty), so it renders as its source.
 */
export interface Template {
  readonly source: string;
  readonly parts: readonly (string | Path)[];
}
