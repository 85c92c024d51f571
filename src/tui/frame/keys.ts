import type { JsonValue } from '../data/value.ts';
import { formatValue } from '../template/format.ts';

/** A row key as a map key: equal for keys of the same JSON type and text form (G-133). */
export function keyIdentity(key: JsonValue): string {
  const type = key === null ? 'null' : Array.isArray(key) ? 'array' : typeof key;
  return `${type}:${formatValue(key)}`;
}
