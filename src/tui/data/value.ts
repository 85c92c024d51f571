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
