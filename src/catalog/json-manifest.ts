import { type ParseError, parse } from 'jsonc-parser';
import { decodeText } from '../core/text-decoding.ts';

export type JsonObject = Record<string, unknown>;

/**
 * A JSON object that somebody wrote by hand: comments, trailing commas and a
 * byte order mark are accepted and reported by `isLoose`. Null when it is no object.
 */
export function parseLooseJson(bytes: Uint8Array): { object: JsonObject; isLoose: boolean } | null {
  const { text } = decodeText(bytes);
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { object: value, isLoose: false } : null;
  } catch {
    return parseWithComments(text);
  }
}

/** Deeper nesting than any manifest has; the tolerant parser recurses. */
const MAX_NESTING = 100;

function parseWithComments(text: string): { object: JsonObject; isLoose: boolean } | null {
  let depth = 0;
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > MAX_NESTING) return null;
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 && isObject(value) ? { object: value, isLoose: true } : null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member that is a non-empty string, else null. `__proto__` and its kin are never followed. */
export function textMember(object: JsonObject | null, key: string): string | null {
  const value = object !== null && Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** An own member that is an object, else null. */
export function objectMember(object: JsonObject | null, key: string): JsonObject | null {
  const value = object !== null && Object.hasOwn(object, key) ? object[key] : undefined;
  return isObject(value) ? value : null;
}

/** An own member, whatever it is. */
export function member(object: JsonObject | null, key: string): unknown {
  return object !== null && Object.hasOwn(object, key) ? object[key] : undefined;
}
