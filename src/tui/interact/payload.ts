import type { JsonValue } from '../data/value.ts';
import type { Box } from '../frame/box.ts';
import type { App } from './app.ts';
import { readInput } from './input-text.ts';

/** Keys and value that an event carries (G-161). */
export interface Payload {
  readonly keys: ReadonlyMap<string, JsonValue>;
  readonly value: JsonValue;
}

/** Cursor row of a list or table: what the last key left, not only what the last frame showed. */
export function cursorOf(app: App, box: Box): number {
  const rows = box.rows;
  if (!rows || rows.keys.length === 0) return -1;
  const known = box.id !== null && box.isAddressable ? app.state.cursors.get(box.id) : undefined;
  return Math.min(Math.max(0, known ?? rows.cursor), rows.keys.length - 1);
}

/** The cursor row's key under the alias, for a list or table with `each`. */
export function rowKeys(app: App, box: Box): ReadonlyMap<string, JsonValue> {
  const key = box.rows?.keys[cursorOf(app, box)];
  const alias = box.rows?.alias ?? null;
  return alias === null || key === undefined ? new Map() : new Map([[alias, key]]);
}

/** What a key row's event says about the focused widget. */
export function focusedPayload(app: App, focused: Box | null): Payload {
  if (!focused) return { keys: new Map(), value: null };
  if (focused.rows) return { keys: rowKeys(app, focused), value: selectValue(app, focused) };
  const value = focused.kind === 'input' ? readInput(app, focused).text : null;
  return { keys: new Map(), value };
}

/** A static list's events carry the item's key as their value. */
export function selectValue(app: App, box: Box): JsonValue {
  if (!box.rows || box.rows.alias !== null) return null;
  return box.rows.keys[cursorOf(app, box)] ?? null;
}
