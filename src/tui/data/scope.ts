import type { Path } from '../template/types.ts';
import { isObject, type JsonObject, type JsonValue } from './value.ts';

/** An `each` alias and those around it, innermost first. */
export interface AliasFrame {
  readonly name: string;
  readonly value: JsonValue;
  readonly outer: AliasFrame | null;
}

/** Where a path is resolved: aliases shadow the store by first segment (U-065). */
export interface Scope {
  readonly store: JsonObject;
  readonly alias: AliasFrame | null;
}

/** Value of a path, `undefined` when it does not resolve; a `null` member does (U-065). */
export function resolvePath(path: Path, scope: Scope): JsonValue | undefined {
  const { segments } = path;
  const first = segments[0];
  for (let frame = scope.alias; frame !== null; frame = frame.outer) {
    if (frame.name === first) return getAt(frame.value, segments, 1);
  }
  return getAt(scope.store, segments);
}

/** Walk segments, from the one at `from` on: members by exact name, array elements by decimal index. */
export function getAt(
  value: JsonValue,
  segments: readonly string[],
  from = 0,
): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (let at = from; at < segments.length; at++) {
    const segment = segments[at]!;
    if (isObject(current)) current = current.get(segment);
    else if (Array.isArray(current)) current = current[arrayIndex(segment, current.length) ?? -1];
    else return undefined;
    if (current === undefined) return undefined;
  }
  return current;
}

/** A decimal index into an array of `length` elements, or `null`. */
export function arrayIndex(segment: string, length: number): number | null {
  if (!/^[0-9]{1,10}$/.test(segment)) return null;
  const index = Number(segment);
  return index < length ? index : null;
}
