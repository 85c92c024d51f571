import type { AliasFrame, Scope } from '../data/scope.ts';
import { quote } from '../diagnostics/quote.ts';
import type { DocNode } from '../markup/types.ts';
import { expandTemplate, guardHolds } from '../template/expand.ts';
import type { Flag, Guard, Template } from '../template/types.ts';
import { type Report, reportBind, reportMissing } from './report.ts';
import type { AppState } from './state.ts';
import type { TableCache } from './table-cache.ts';

/** What inflating needs besides the node. */
export interface Inflating {
  readonly state: AppState;
  readonly report: Report;
  readonly isSpike: boolean;
  /** Elements that hold the focused node, itself included (G-015). */
  readonly focusChain: ReadonlySet<DocNode>;
  readonly tables: TableCache;
  /** Ids of every addressable box inflated so far, `display: none` included (G-145). */
  readonly present: Set<string>;
  /** Boxes inflated so far. */
  boxes: number;
}

/** Where the paths of a node are looked up. */
export function scopeOf(frame: Inflating, alias: AliasFrame | null): Scope {
  return { store: frame.state.store, alias };
}

/** Text of a template; each missing path is `B003` (G-125). */
export function expand(frame: Inflating, node: DocNode, template: Template, scope: Scope): string {
  if (frame.isSpike) return template.source;
  return expandTemplate(template, scope, (path) => reportMissing(frame.report, node, path));
}

/** Truth of a guard; a missing path is `B002` and counts as null before the `!` (G-122). */
export function testGuard(
  frame: Inflating,
  node: DocNode,
  attribute: string,
  guard: Guard,
  scope: Scope,
): boolean {
  const { holds, missing } = guardHolds(guard, scope);
  if (missing) {
    const where = `${attribute}=${quote(guard.source)}`;
    reportBind(frame.report, node, 'B002', `${where}: path ${quote(guard.path.source)} is missing`);
  }
  return holds;
}

/** Truth of a flag attribute; a missing path is `B002` and counts as null (G-122). */
export function testFlag(
  frame: Inflating,
  node: DocNode,
  attribute: string,
  flag: Flag,
  scope: Scope,
): boolean {
  return typeof flag === 'boolean' ? flag : testGuard(frame, node, attribute, flag, scope);
}

/** Names of the guards that hold, in attribute order; a missing path is `B002`. */
export function heldGuards(frame: Inflating, node: DocNode, scope: Scope): readonly string[] {
  if (node.classGuards.length === 0) return NO_NAMES;
  return node.classGuards
    .filter(({ name, guard }) => testGuard(frame, node, `class:${name}`, guard, scope))
    .map(({ name }) => name);
}
const NO_NAMES: readonly string[] = [];

/** The `class` names, then the guards that hold, without repeats (G-124). */
export function classesWith(node: DocNode, guards: readonly string[]): readonly string[] {
  if (guards.length === 0) return node.classes;
  return [...new Set([...node.classes, ...guards])];
}
