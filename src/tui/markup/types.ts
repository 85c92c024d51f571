import type { Diagnostic } from '../diagnostics/types.ts';
import type { Declaration, Selector } from '../style/types.ts';
import type { ClassGuard, EachClause, Flag, Guard, Path, Template } from '../template/types.ts';

/** A place in the source: both 1-based, columns in code points after U-003 normalisation (U-002). */
export interface Position {
  readonly line: number;
  readonly col: number;
}

/** One attribute as written, entities decoded; the position is that of its name. */
export interface Attribute extends Position {
  readonly name: string;
  readonly value: string;
}

/** Character data or a CDATA section, entities decoded. */
export interface TextRun extends Position {
  readonly kind: 'text';
  readonly text: string;
  readonly isCdata: boolean;
  /** Where stretches of `text` stand in the source, so that entities do not shift columns (U-104). */
  readonly pieces: readonly Piece[];
}

/** From UTF-16 unit `from` on, the text stands in the source as it is, starting at this position. */
export interface Piece extends Position {
  readonly from: number;
}

/** A comment; kept for `fmt` only, never part of the model. */
export interface Comment extends Position {
  readonly kind: 'comment';
  readonly body: string;
}

/** An element of the XML subset before any vocabulary is applied. */
export interface Element extends Position {
  readonly kind: 'element';
  readonly tag: string;
  readonly attributes: readonly Attribute[];
  readonly children: readonly MarkupNode[];
}

export type MarkupNode = Element | TextRun | Comment;

/** A parsed file: the root and the comments around it. */
export interface MarkupFile {
  readonly root: Element;
  readonly before: readonly Comment[];
  readonly after: readonly Comment[];
}

export type Version = 1 | 2 | 3;

/** Event names an `on:` attribute may carry (U-040 row 6). */
export type EventName =
  | 'click'
  | 'select'
  | 'submit'
  | 'change'
  | 'escape'
  | 'focus'
  | 'open'
  | 'close';

/**
 * One element of the checked document. Every value that failed its check is absent (`null`, empty or
 * the default), except `id`, which is kept (U-042). Unknown tags and elements in places that take
 * none are not in the tree (U-033, U-034); misplaced known tags are.
 */
export interface DocNode extends Position {
  /** Tag as written; `kind` differs only for the spike root `app`, which is a `col` (U-028). */
  readonly tag: string;
  readonly kind: string;
  /** Element path of diagnostics, such as `/screen/col/text` (U-037). */
  readonly path: string;
  /** Pre-order index in the document: a stable identity of the source element. */
  readonly order: number;
  readonly parent: DocNode | null;
  readonly children: readonly DocNode[];
  readonly id: string | null;
  /** Every attribute as written (cleaned per U-043), for `ir`, `inspect` and the action catalog. */
  readonly attributes: readonly Attribute[];

  readonly classes: readonly string[];
  /** `class:NAME` guards in attribute order. */
  readonly classGuards: readonly ClassGuard[];
  readonly if: Guard | null;
  readonly hidden: Flag;
  readonly disabled: Flag;
  /** `null` when the attribute is absent: then `bind` decides for a modal (U-085). */
  readonly open: Flag | null;
  /** The attribute, or `null` for the default of the kind (U-076). */
  readonly focusable: boolean | null;
  readonly title: Template | null;
  readonly placeholder: Template | null;
  /** Body of `text` and `column` (a template) and of `button` (literal). */
  readonly body: Template | null;
  /** `button@label` (literal), `tab@label`: a template in v3, literal before. */
  readonly label: Template | null;
  readonly short: Template | null;
  readonly mark: string | null;
  readonly bind: Path | null;
  readonly each: EachClause | null;
  readonly key: Path | null;
  readonly checked: Path | null;
  /** Default already applied: `y` for scroll, `x` for rule; `null` on other tags. */
  readonly axis: 'x' | 'y' | 'both' | null;
  /** `progress@value`, `sparkline@min`, `sparkline@max` as written. */
  readonly value: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly scope: 'active' | 'all';
  /** Digits of `column@priority` without leading zeros; may exceed 2^53 (G-077). */
  readonly priority: bigint | null;
  readonly scale: string | null;
  readonly stick: boolean;
  readonly secret: boolean;
  /** Target of `focus=`, without `#`; set even when the id does not exist (B005 says so). */
  readonly focus: string | null;
  /** Event name to action, in attribute order. */
  readonly on: ReadonlyMap<EventName, string>;
  /** Presentational attributes as declarations, in attribute order (G-024). */
  readonly presentational: readonly Declaration[];
  /** `style=""` declarations in order. */
  readonly inline: readonly Declaration[];
}

/** One row of the key table (U-092), in source order over all keymaps. */
export interface KeyRow extends Position {
  /** `keys` as written, and its valid tokens in order. */
  readonly keysText: string;
  readonly keys: readonly string[];
  readonly action: string;
  /** Effective `when` as written, `''` when there is none (U-097). */
  readonly whenText: string;
  /** Parsed `when`; `null` when absent or unparsable: the row then always matches (G-154). */
  readonly when: Selector | null;
  /** True when `when` names an id that cannot be addressed: the row never matches (U-097). */
  readonly whenNeverMatches: boolean;
  /** Target id without `#`, `null` when absent or malformed. */
  readonly to: string | null;
  readonly label: string | null;
  readonly keycap: string | null;
}

/** One `<style>` element, in document order. */
export interface StyleElement extends Position {
  /** Non-empty `src`, else `null` and the sheet is inline. */
  readonly src: string | null;
  /** The inline body as written, `''` with `src`. */
  readonly body: string;
  /** Source position of every UTF-16 unit of `body` (U-104). */
  readonly origins: readonly Position[];
}

/** A whole document after static checking, before any data or cascade. */
export interface TuiDocument {
  /** Base name of its path, `''` for a document without one (U-004). */
  readonly file: string;
  readonly version: Version;
  /** True for the `<app>` root (U-028): its tree hangs under `screens[0]`. */
  readonly isSpike: boolean;
  /** `null` when the file is not well-formed or has a wrong root: the frame is blank. */
  readonly root: DocNode | null;
  /**
   * Screens in document order; for the spike its root (tag `app`, kind `col`). Empty when the frame
   * is blank (U-021).
   */
  readonly screens: readonly DocNode[];
  readonly theme: 'dark' | 'light' | 'auto' | null;
  /** `tui@mouse` (v2), else `false`. Its diagnostics belong at the root element (U-083). */
  readonly mouse: Flag;
  readonly keymap: readonly KeyRow[];
  readonly styles: readonly StyleElement[];
  /** First node of every id in the tree. */
  readonly ids: ReadonlyMap<string, DocNode>;
  /** Parse diagnostics, sorted by (line, col), stable (U-120). */
  readonly diagnostics: readonly Diagnostic[];
}
