import { quote } from '../diagnostics/quote.ts';
import type { Diagnostic } from '../diagnostics/types.ts';
import { compareBytes } from '../json/bytes.ts';
import type { DocNode, TuiDocument } from '../markup/types.ts';
import { BUILTINS_V1, isBuiltin } from './keymap.ts';

/** One entry of the action catalog (U-100). */
export interface ActionEntry {
  readonly name: string;
  readonly builtin: boolean;
  readonly sources: readonly string[];
}

/** Distinct actions of keymap rows and `on:` attributes, sorted by name (U-100). */
export function actionCatalog(document: TuiDocument): ActionEntry[] {
  const sources = new Map<string, string[]>();
  const add = (action: string, source: string) => {
    const list = sources.get(action) ?? [];
    list.push(source);
    sources.set(action, list);
  };
  for (const row of document.keymap) if (row.action !== '') add(row.action, `keys ${row.keysText}`);
  for (const node of nodesOf(document)) {
    const who = node.id === null ? node.tag : `#${node.id}`;
    for (const [event, action] of sortedEvents(node)) add(action, `${who} on:${event}`);
  }
  return [...sources]
    .sort((a, b) => compareBytes(a[0], b[0]))
    .map(([name, list]) => ({
      name,
      builtin: isBuiltin(name, document.version),
      sources: list,
    }));
}

/** Actions that a given catalog does not list: `B004` warnings (U-129). */
export function unlistedActions(document: TuiDocument, listed: ReadonlySet<string>): Diagnostic[] {
  const found: Diagnostic[] = [];
  const { file } = document;
  const warn = (at: { line: number; col: number }, path: string, id: string, msg: string) => {
    const { line, col } = at;
    found.push({ severity: 'warning', code: 'B004', msg, file, line, col, path, id });
  };
  for (const row of document.keymap) {
    const { action } = row;
    if (action === '' || isBuiltin(action, document.version) || listed.has(action)) continue;
    const msg = `action ${quote(action)} (keys ${row.keysText}) is not in the catalog`;
    warn(row, '/keymap/bind', '', msg);
  }
  for (const node of nodesOf(document)) {
    for (const [event, action] of sortedEvents(node)) {
      if (BUILTINS_V1.includes(action) || listed.has(action)) continue;
      const msg = `action ${quote(action)} (on:${event}) is not in the catalog`;
      warn(node, node.path, node.id ?? '', msg);
    }
  }
  return found;
}

function sortedEvents(node: DocNode): [string, string][] {
  return [...node.on].sort((a, b) => compareBytes(a[0], b[0]));
}

/** Nodes of the tree in document order. */
export function* nodesOf(document: TuiDocument): Generator<DocNode> {
  if (document.root !== null) yield* below(document.root);
}

function* below(node: DocNode): Generator<DocNode> {
  yield node;
  for (const child of node.children) yield* below(child);
}
