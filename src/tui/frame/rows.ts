import { resolvePath, type Scope } from '../data/scope.ts';
import { isObject, type JsonValue, typeName } from '../data/value.ts';
import { quote } from '../diagnostics/quote.ts';
import type { DocNode } from '../markup/types.ts';
import type { Box, RowData } from './box.ts';
import type { Inflating } from './inflating.ts';
import { keyIdentity } from './keys.ts';
import { reportBind, reportMissing } from './report.ts';

/** The array of an `each`, or none with `B001` (U-080). */
export function readElements(frame: Inflating, node: DocNode, scope: Scope): readonly JsonValue[] {
  const each = node.each!;
  const value = resolvePath(each.path, scope);
  if (Array.isArray(value)) return value;
  const where = `each=${quote(each.source)}: `;
  const what =
    value === undefined
      ? `path ${quote(each.path.source)} is missing (want an array)`
      : `${quote(each.path.source)} is ${typeName(value)}, not an array`;
  reportBind(frame.report, node, 'B001', where + what);
  return [];
}

/** What a missing row key is called and whether strict turns it into an error (U-081). */
const MISSING_KEY = {
  list: (i: number) => `item ${i}`,
  table: (i: number) => `row ${i} (its key is the index)`,
  container: (i: number) => `element ${i} (its key is the index)`,
};

/** The key of one element: its `key` path, else its index (G-136). */
export function readKey(
  frame: Inflating,
  node: DocNode,
  index: number,
  scope: Scope,
  kind: keyof typeof MISSING_KEY,
): JsonValue {
  if (!node.key) return index;
  const key = resolvePath(node.key, scope);
  if (key !== undefined) return key;
  const msg = `key=${quote(node.key.source)} is missing on ${MISSING_KEY[kind](index)}`;
  reportBind(frame.report, node, 'B003', msg, kind === 'list');
  return index;
}

/** Cursor and checked keys of a list or table (G-134, G-137). */
export function readRows(
  frame: Inflating,
  node: DocNode,
  box: Box,
  keys: readonly JsonValue[],
  scope: Scope,
): RowData {
  const { checked, canCheck } = readChecked(frame, node, scope);
  const cursor = readCursor(frame, node, box, keys, scope);
  return { keys, cursor, checked, canCheck, alias: node.each?.alias ?? null };
}

function readCursor(
  frame: Inflating,
  node: DocNode,
  box: Box,
  keys: readonly JsonValue[],
  scope: Scope,
): number {
  let found = -1;
  if (node.bind) {
    const value = resolvePath(node.bind, scope);
    if (value === undefined) reportMissing(frame.report, node, node.bind);
    else if (value !== null && keys.length > 0) {
      const wanted = keyIdentity(value);
      found = keys.findIndex((key) => typeof key === typeof value && keyIdentity(key) === wanted);
    }
  }
  if (keys.length === 0) return -1;
  const name = box.isAddressable ? node.id : null;
  const previous = name === null ? 0 : (frame.state.cursors.get(name) ?? 0);
  const cursor = found >= 0 ? found : Math.min(Math.max(0, previous), keys.length - 1);
  if (name !== null) frame.state.cursors.set(name, cursor);
  return cursor;
}

function readChecked(
  frame: Inflating,
  node: DocNode,
  scope: Scope,
): Pick<RowData, 'checked' | 'canCheck'> {
  const path = node.checked;
  if (!path) return { checked: null, canCheck: false };
  const value = resolvePath(path, scope);
  if (Array.isArray(value)) return { checked: new Set(value.map(keyIdentity)), canCheck: true };
  if (value === undefined) reportMissing(frame.report, node, path);
  else {
    const name = quote(path.source);
    const what = `checked=${name}: ${name} is ${typeName(value)}, not an array of row keys`;
    reportBind(frame.report, node, 'B008', `${what}; nothing is shown as checked`);
  }
  return { checked: new Set(), canCheck: value === undefined && isWritable(frame, path.segments) };
}

/** Whether a missing path could be created: no step of it is a value that holds no members. */
function isWritable(frame: Inflating, segments: readonly string[]): boolean {
  let at: JsonValue | undefined = frame.state.store;
  for (const name of segments) {
    if (at === undefined || at === null) return true;
    if (!isObject(at)) return false;
    at = at.get(name);
  }
  return true;
}
