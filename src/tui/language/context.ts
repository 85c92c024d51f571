import { quote } from '../diagnostics/quote.ts';
import type { Diagnostic, Severity } from '../diagnostics/types.ts';
import type { DocNode, Element, EventName, Position, Version } from '../markup/types.ts';
import type { Declaration } from '../style/types.ts';
import type { ClassGuard } from '../template/types.ts';

/** A node while it is being built. */
type Growing = 'children' | 'parent' | 'classGuards' | 'presentational' | 'on';
export type Draft = {
  -readonly [Member in Exclude<keyof DocNode, Growing>]: DocNode[Member];
} & {
  parent: Draft | null;
  children: Draft[];
  classGuards: ClassGuard[];
  presentational: Declaration[];
  on: Map<EventName, string>;
};

/** Where and for whom a diagnostic is. */
export interface Subject {
  readonly path: string;
  readonly id: string | null;
}

/** A list row or each template that an element stands in. */
export interface Surroundings {
  /** The list around the nearest list row, with its id if it has one; `null` outside rows. */
  readonly listRow: { readonly listId: string | null } | null;
  /** Description of the outermost-to-nearest container with `each` around; `null` outside. */
  readonly template: string | null;
}

/** What one document's checks share. */
export interface CheckContext {
  readonly file: string;
  readonly version: Version;
  readonly diagnostics: Diagnostic[];
  /** First place of every id of the source, dropped subtrees included (U-048). */
  readonly seenIds: Map<string, Position>;
  /** Elements in the tree, in document order. */
  readonly nodes: Draft[];
  /** Surroundings of every node in the tree. */
  readonly surroundings: Map<Draft, Surroundings>;
  readonly elements: Map<Draft, Element>;
  /** First node of every id in the tree, one that can be addressed when there is any. */
  readonly targets: Map<string, Draft>;
}

/** Report at a place, for an element (path and id) or for the file alone. */
export function report(
  context: Pick<CheckContext, 'file' | 'diagnostics'>,
  at: Position,
  subject: Subject | null,
  code: string,
  msg: string,
  severity: Severity = 'error',
): void {
  const { line, col } = at;
  const path = subject?.path ?? '';
  const id = subject?.id ?? '';
  context.diagnostics.push({ severity, code, msg, file: context.file, line, col, path, id });
}

/** `name="value"` with the value quoted as in U-001. */
export function written(name: string, value: string): string {
  return `${name}=${quote(value)}`;
}

/** Value of an attribute that may stand on the node, cleaned; `null` when absent. */
export function attributeValue(node: Draft, name: string): string | null {
  return node.attributes.find((attribute) => attribute.name === name)?.value ?? null;
}
