import type { LoadedDocument } from './load.ts';

/** What the file of a sheet held, or why it could not be read. */
export type SheetText =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly failure: string };

/** A parsed document with the bytes that it came from: its proof of being still right. */
export interface KeptDocument {
  readonly bytes: Uint8Array;
  readonly sheets: readonly SheetText[];
  readonly loaded: LoadedDocument;
}

/**
 * An agent works on one document at a time, a daemon serves some agents at once. Texts are counted,
 * since what is parsed from them takes up to 200 times their size: 50 MB at most.
 */
const MOST_DOCUMENTS = 16;
const MOST_BYTES = 256 * 1024;

/** Least recently used first. */
const kept = new Map<string, KeptDocument>();
let keptBytes = 0;

/** What was loaded from a path last time; its bytes tell whether it still holds. */
export function recall(cwd: string, path: string): KeptDocument | null {
  const key = keyOf(cwd, path);
  const known = kept.get(key);
  if (known === undefined) return null;
  kept.delete(key);
  kept.set(key, known);
  return known;
}

/** Keep a document, instead of the one from the same path and of the ones not used for longest. */
export function remember(cwd: string, path: string, { bytes, sheets, loaded }: KeptDocument): void {
  const key = keyOf(cwd, path);
  forget(key);
  // Copies: what was handed to us may be a window into a buffer of megabytes.
  const own = {
    bytes: new Uint8Array(bytes),
    sheets: sheets.map((text) =>
      'bytes' in text ? { path: text.path, bytes: new Uint8Array(text.bytes) } : text,
    ),
    loaded,
  };
  const size = sizeOf(own);
  if (size > MOST_BYTES) return;
  kept.set(key, own);
  keptBytes += size;
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_DOCUMENTS && keptBytes <= MOST_BYTES) return;
    forget(oldest);
  }
}

function forget(key: string): void {
  const known = kept.get(key);
  if (known === undefined) return;
  kept.delete(key);
  keptBytes -= sizeOf(known);
}

function keyOf(cwd: string, path: string): string {
  return `${cwd}\0${path}`;
}

function sizeOf({ bytes, sheets }: KeptDocument): number {
  return sheets.reduce((sum, text) => sum + sizeOfSheet(text), bytes.length);
}

function sizeOfSheet(text: SheetText): number {
  return 'bytes' in text ? text.bytes.length : 0;
}

/** True when two files held the same. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

/** True when the same sheets were read and all held the same, or failed alike. */
export function isEverySame(before: readonly SheetText[], now: readonly SheetText[]): boolean {
  return before.length === now.length && before.every((text, i) => isSame(text, now[i]!));
}

function isSame(a: SheetText, b: SheetText): boolean {
  if (a.path !== b.path) return false;
  if ('bytes' in a) return 'bytes' in b && isEqual(a.bytes, b.bytes);
  return 'failure' in b && a.failure === b.failure;
}
