import type { JsonObject, JsonValue } from '../tui/data/value.ts';

/** Plain data as the document's store takes it: objects become maps. */
export function toStore(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(toStore);
  if (typeof value === 'object') {
    const object: JsonObject = new Map();
    for (const [name, member] of Object.entries(value)) object.set(name, toStore(member));
    return object;
  }
  return value as string | number | boolean;
}
