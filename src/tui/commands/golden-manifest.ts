import { quote } from '../diagnostics/quote.ts';
import { decodeRaw, JsonError, kindName, type RawJson } from '../json/decode.ts';

/** One entry of a golden manifest (U-171). */
export interface GoldenEntry {
  readonly name: string;
  readonly file: string;
  readonly data: string;
  /** `COLSxROWS` as written. */
  readonly sizes: readonly string[];
  readonly json: readonly string[];
  readonly frozen: boolean;
  readonly theme: string;
  readonly input: string;
  readonly script: string;
  readonly styles: boolean;
  readonly cells: boolean;
}

const STRINGS = ['name', 'file', 'data', 'theme', 'input', 'script'] as const;
const LISTS = ['sizes', 'json'] as const;
const BOOLEANS = ['frozen', 'styles', 'cells'] as const;

/**
 * Read a manifest (U-171): an array of entries, unknown members refused.
 * @throws JsonError
 */
export function readManifest(text: string): GoldenEntry[] {
  const { value } = decodeRaw(text);
  if (!Array.isArray(value)) refuse(value, '[]golden.Entry');
  return value.map(readEntry);
}

function readEntry(raw: RawJson): GoldenEntry {
  if (!(raw instanceof Map)) refuse(raw, 'golden.Entry');
  const known = new Set<string>([...STRINGS, ...LISTS, ...BOOLEANS]);
  for (const member of raw.keys()) {
    if (!known.has(member)) throw new JsonError(`json: unknown field ${quote(member)}`);
  }
  const entry: Record<string, string | boolean | readonly string[]> = {};
  for (const name of STRINGS) entry[name] = stringOf(raw.get(name), '');
  for (const name of BOOLEANS) entry[name] = booleanOf(raw.get(name));
  for (const name of LISTS) entry[name] = listOf(raw.get(name));
  return entry as unknown as GoldenEntry;
}

function stringOf(value: RawJson | undefined, absent: string): string {
  if (value === undefined || value === null) return absent;
  if (typeof value !== 'string') refuse(value, 'string');
  return value;
}

function booleanOf(value: RawJson | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') refuse(value, 'bool');
  return value;
}

function listOf(value: RawJson | undefined): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) refuse(value, '[]string');
  return value.map((item) => stringOf(item, ''));
}

function refuse(value: RawJson, type: string): never {
  throw new JsonError(`json: cannot unmarshal ${kindName(value)} into Go value of type ${type}`);
}
