import { quote } from '../diagnostics/quote.ts';
import { arrayIndex } from './scope.ts';
import { goTypeName, isObject, type JsonObject, type JsonValue } from './value.ts';

/**
 * Write a value at a dotted path of the store, in place (U-072). Missing and null steps become
 * objects; array elements are replaced, never appended. The reserved `@` paths are the caller's.
 *
 * @returns `null`, or the error text; nothing is changed then
 */
export function setAt(store: JsonObject, path: string, value: JsonValue): string | null {
  if (path === '') {
    if (!isObject(value)) return rootError(value);
    const members = [...value];
    store.clear();
    for (const [name, member] of members) store.set(name, member);
    return null;
  }
  const segments = path.split('.');
  if (segments.includes('')) return `tuimark: bad path ${quote(path)}`;
  let holder: JsonValue = store;
  for (const [i, segment] of segments.entries()) {
    const isLast = i === segments.length - 1;
    const put = slotOf(holder, segment);
    if ('error' in put) return `set ${quote(path)}: ${put.error}`;
    if (isLast) {
      put.write(value);
      return null;
    }
    let next: JsonValue | undefined = put.current;
    // Once a step is created here, no later step can fail: a failed write changes nothing.
    if (next === undefined || next === null) put.write((next = new Map()));
    holder = next;
  }
  return null;
}

/** The error for a root that is not an object (U-072, U-144). */
export function rootError(value: JsonValue): string {
  return `tuimark: the root value must be a JSON object, got ${goTypeName(value)}`;
}

interface Slot {
  readonly current: JsonValue | undefined;
  readonly write: (value: JsonValue) => void;
}

function slotOf(holder: JsonValue, segment: string): Slot | { readonly error: string } {
  if (isObject(holder)) {
    return { current: holder.get(segment), write: (value) => holder.set(segment, value) };
  }
  if (Array.isArray(holder)) {
    const index = arrayIndex(segment, holder.length);
    if (index === null) {
      return { error: `${quote(segment)} is not an index of a ${holder.length}-element array` };
    }
    return {
      current: holder[index],
      write: (value) => {
        holder[index] = value;
      },
    };
  }
  return { error: `${quote(segment)} is inside a ${goTypeName(holder)}, not an object` };
}
