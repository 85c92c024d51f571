import { isObject, type JsonObject } from '../data/value.ts';
import { rootError } from '../data/write.ts';
import { quote } from '../diagnostics/quote.ts';
import { type Files, fileErrorText } from '../files/types.ts';
import { decodeJson, decodeUtf8, JsonError } from '../json/decode.ts';
import { type LoadedDocument, loadDocument } from '../language/load.ts';
import { sizeFault } from '../steps/size.ts';
import type { ParsedFlags } from './flags.ts';
import { fail } from './result.ts';

/** The one FILE of a command (U-140). */
export function oneFile(command: string, flags: ParsedFlags): string {
  const { positionals } = flags;
  if (positionals.length === 1) return positionals[0]!;
  fail(`tuimark ${command}: want exactly one FILE, got ${positionals.length}`);
}

/** For commands without words (U-140). */
export function noWords(command: string, flags: ParsedFlags): void {
  if (flags.positionals.length > 0) fail(`tuimark ${command}: takes no arguments`);
}

/** `--cols` and `--rows` (U-141). */
export function frameSize(flags: ParsedFlags): { readonly cols: number; readonly rows: number } {
  const cols = flags.integers.get('cols') ?? 80n;
  const rows = flags.integers.get('rows') ?? 24n;
  const fault = sizeFault(cols, rows);
  if (fault !== null) fail(fault);
  return { cols: Number(cols), rows: Number(rows) };
}

/** `--format` (U-142). */
export function outputFormat(flags: ParsedFlags): 'text' | 'json' {
  const format = flags.strings.get('format') ?? 'text';
  if (format === 'text' || format === 'json') return format;
  fail('--format must be text or json');
}

/** `--theme`; judged only when given, and only after the files are read (U-143). */
export function themeFlag(flags: ParsedFlags): 'dark' | 'light' | null {
  const theme = flags.strings.get('theme');
  if (theme === undefined || theme === 'dark' || theme === 'light') return theme ?? null;
  fail(`--theme must be dark or light (got ${quote(theme)})`);
}

/** A document and its data, read in the order of U-145. */
export interface Inputs {
  readonly loaded: LoadedDocument;
  readonly data: JsonObject;
  /** Whether `--data` was given (U-149). */
  readonly hasData: boolean;
  readonly theme: 'dark' | 'light' | null;
}

/** FILE, then `--data`, then `--theme`: the first that is wrong is told (U-145). */
export async function readInputs(files: Files, path: string, flags: ParsedFlags): Promise<Inputs> {
  const dataPath = flags.strings.get('data') ?? '';
  const loading = readDocument(files, path);
  // Asked for together with the document: over MCP each read is a trip to the host's process.
  const reading = dataPath === '' ? null : readBytes(files, dataPath);
  reading?.catch(() => {});
  const loaded = await loading;
  const data = reading === null ? new Map() : parseData(await reading, dataPath);
  return { loaded, data, hasData: dataPath !== '', theme: themeFlag(flags) };
}

/** @throws ToolFailure with the file error (U-009) */
export async function readDocument(files: Files, path: string): Promise<LoadedDocument> {
  try {
    return await loadDocument(files, path);
  } catch (error) {
    if (isFileError(error)) fail(fileErrorText(error, path));
    throw error;
  }
}

/** Bytes of a file. @throws ToolFailure with the file error (U-009) */
export async function readBytes(files: Files, path: string): Promise<Uint8Array> {
  try {
    return await files.readFile(path);
  } catch (error) {
    if (isFileError(error)) fail(fileErrorText(error, path));
    throw error;
  }
}

/** The data store of `--data` (U-064, U-144). */
export async function readData(files: Files, path: string): Promise<JsonObject> {
  return parseData(await readBytes(files, path), path);
}

function parseData(bytes: Uint8Array, path: string): JsonObject {
  const text = decodeUtf8(bytes);
  try {
    const root = decodeJson(text);
    if (isObject(root)) return root;
    fail(`${path}: ${rootError(root)}`);
  } catch (error) {
    if (error instanceof JsonError) fail(`${path}: ${error.message}`);
    throw error;
  }
}

/** Errors of the file system carry a code; anything else is a fault of ours and goes on. */
function isFileError(error: unknown): boolean {
  return typeof (error as { code?: unknown } | null)?.code === 'string';
}
