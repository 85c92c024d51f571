/**
 * A decoded JSON value (U-007). Objects are Maps: member order is the order of first appearance, a
 * repeated member keeps its last value, and names such as `__proto__` are ordinary. Numbers are
 * 64-bit floats, never NaN or infinite.
 */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export type JsonObject = Map<string, JsonValue>;

/** True for an object (not null, not an array). */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

/** `null`, `false`, `0`, `""`, `[]` and what does not resolve are false; all else is true (U-066). */
export function isTruthy(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return Boolean(value);
}

/** Name of a value's type in messages (U-071). */
export function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (isObject(value)) return 'an object';
  if (typeof value === 'boolean') return 'a bool';
  return typeof value === 'number' ? 'a number' : 'a string';
}

/** Name of a value's type in the messages of writes and roots (U-072). */
export function goTypeName(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'float64' : 'string';
}

/** A deep copy; iterative, since values may be nested 10000 deep. */
export function cloneValue<T extends JsonValue>(value: T): T {
  const root: JsonValue[] = [value];
  const open: (JsonValue[] | JsonObject)[] = [root];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const [key, child] of [...holder.entries()]) {
      if (typeof child !== 'object' || child === null) continue;
      const copy: JsonValue[] | JsonObject = Array.isArray(child) ? [...child] : new Map(child);
      if (holder instanceof Map) holder.set(key as string, copy);
      else holder[key as number] = copy;
      open.push(copy);
    }
  }
  return root[0] as T;
}
