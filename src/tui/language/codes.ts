import type { Severity } from '../diagnostics/types.ts';

/** One diagnostic code (U-118, U-123, U-126). */
export interface CodeEntry {
  readonly code: string;
  readonly severity: Severity;
  /** When it is found: in the document alone, or in one frame (U-125). */
  readonly pass: 'parse' | 'layout' | 'bind';
  readonly trigger: string;
}

/** Every code that can be raised, in order (U-126). `V008` is reserved, there is no `V009`. */
export const CODES: readonly CodeEntry[] = [
  row('V001', 'parse', 'a tag that is unknown, of a later version, or in the wrong place'),
  row('V002', 'parse', 'an attribute that the tag does not take here'),
  row('V003', 'parse', 'a bad value, template, key, selector, property, colour or token'),
  row('V004', 'parse', 'an id used twice, or inside an `each` template'),
  row('V005', 'parse', 'not well-formed, a wrong root, or no `<screen>`; the frame is blank'),
  row('V006', 'parse', 'a stylesheet that cannot be read, or is included twice'),
  row('V007', 'parse', 'control characters or escape sequences in text; they are removed'),
  row('V010', 'layout', 'a docked node that also asks for a share of the same axis'),
  row('V011', 'parse', 'a bad `if` or `each`, or an alias that repeats an outer one'),
  row('V012', 'parse', 'a focusable node, table, tabs, tab or one of several screens without id'),
  row('V013', 'parse', 'text or elements where the tag takes none'),
  row('V014', 'parse', '`<tui>` without `version`'),
  row('V015', 'parse', 'a bad `class:NAME` guard'),
  row('V016', 'parse', 'wrong children or text in `table`, `tabs`, `sparkline`, `hints`'),
  row('V017', 'parse', 'a table without `each` or `column`, tabs without `tab`'),
  row('V018', 'parse', '`checked`, `mark` or `on:change` that do not go together'),
  row('L001', 'layout', 'fr or flex on the axis on which the parent scrolls'),
  row('L002', 'layout', 'a percentage of a parent that is sized by its content'),
  row('L003', 'layout', 'sizes and minimums that need more cells than there are', 'warning'),
  row('L004', 'layout', 'a modal that is not last in its screen'),
  row('L005', 'layout', 'several children docked to the bottom', 'warning'),
  row(
    'L006',
    'layout',
    'a viewport without room on its scroll axis, or cut by a parent',
    'warning',
  ),
  row('L007', 'layout', 'a size that a grid ignores', 'warning'),
  row('L008', 'layout', 'v3: text that is cut because nobody said how', 'warning'),
  row('L009', 'layout', 'v3: a container that cuts its child', 'warning'),
  row('B001', 'bind', 'the path of an `each` is missing or no array'),
  row('B002', 'bind', 'the path of a guard is missing', 'warning'),
  row('B003', 'bind', 'the path of a binding is missing; an error with `--strict`', 'warning'),
  row('B004', 'bind', 'an action that the given catalog does not list', 'warning'),
  row('B005', 'bind', 'a reference to an id that does not exist or cannot be addressed'),
  row('B006', 'bind', 'an `each` on a list or table without `key`', 'warning'),
  row('B007', 'bind', 'a built-in action whose target can never take it'),
  row('B008', 'bind', 'a `checked` value that is no array'),
  row('B009', 'bind', 'sparkline data that is no array of numbers', 'warning'),
  row('B010', 'bind', 'a tabs value that is not the id of a visible tab', 'warning'),
];

function row(
  code: string,
  pass: CodeEntry['pass'],
  trigger: string,
  severity: Severity = 'error',
): CodeEntry {
  return { code, pass, trigger, severity };
}
