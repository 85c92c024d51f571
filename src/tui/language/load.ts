import { posix } from 'node:path';
import type { Diagnostic } from '../diagnostics/types.ts';
import { type Files, fileCause } from '../files/types.ts';
import { decodeUtf8 } from '../json/decode.ts';
import type { StyleElement, TuiDocument } from '../markup/types.ts';
import { parseSheet } from '../style/sheet.ts';
import type { Sheet } from '../style/types.ts';
import { written } from './context.ts';
import { isEqual, isEverySame, recall, remember, type SheetText } from './kept-documents.ts';
import { parseDocument } from './parse.ts';
import { newTextWork, type TextWork } from './text-work.ts';

/** A document with its sheets, before data and theme. Shared between calls: nobody writes to it. */
export interface LoadedDocument {
  readonly document: TuiDocument;
  /** Sheets in document order, inline and external alike; unusable ones are left out. */
  readonly sheets: readonly Sheet[];
  /** Parse and stylesheet diagnostics, in that order, not yet sorted; unknown tokens depend on the theme. */
  readonly diagnostics: readonly Diagnostic[];
  /** What frames worked out from these texts alone. */
  readonly work: TextWork;
}

/**
 * Read a document and its stylesheets (U-102). Every call reads its files anew; what was parsed last
 * time is used again where all bytes are the same.
 *
 * @param path as given on the command line
 * @throws what `files.readFile` throws for the document itself; a sheet's failure is a V006
 */
export async function loadDocument(files: Files, path: string): Promise<LoadedDocument> {
  const known = recall(files.cwd, path);
  const reading = readText(files, path);
  // A read may be a trip to another process: sheets that are likely to be named are asked for at once.
  const started = new Map<string, Promise<SheetText>>();
  const read = (sheetPath: string): Promise<SheetText> => {
    const reading = started.get(sheetPath) ?? readSheet(files, sheetPath);
    started.set(sheetPath, reading);
    return reading;
  };
  for (const { path: sheetPath } of known?.sheets ?? []) void read(sheetPath);
  const bytes = await reading;
  const isSame = known !== null && isEqual(known.bytes, bytes);
  const document = isSame ? known.loaded.document : parseDocument(bytes, baseName(path));
  const plan = planSheets(files, path, document);
  const texts = await Promise.all(
    plan.flatMap((source) => (source.kind === 'file' ? [read(source.path)] : [])),
  );
  if (isSame && isEverySame(known.sheets, texts)) return known.loaded;
  const loaded = joinSheets(document, plan, texts);
  remember(files.cwd, path, { bytes, sheets: texts, loaded });
  return loaded;
}

/**
 * A document or sheet, in bytes. Of an inline sheet every character's place is kept, 40 bytes each;
 * data may be larger.
 */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** @throws like `files.readFile`, EFBIG for a text that nobody wrote by hand */
async function readText(files: Files, path: string): Promise<Uint8Array> {
  const bytes = await files.readFile(path);
  if (bytes.length <= MAX_TEXT_BYTES) return bytes;
  throw Object.assign(new Error('file too large'), { code: 'EFBIG' });
}

/** Base name of a path as diagnostics show it (U-004). */
export function baseName(path: string): string {
  return posix.basename(path.replaceAll('\\', '/'));
}

/** Where the text of one `<style>` comes from. */
type SheetSource =
  | { readonly kind: 'inline'; readonly style: StyleElement }
  | { readonly kind: 'file'; readonly style: StyleElement; readonly path: string }
  | { readonly kind: 'refused'; readonly style: StyleElement; readonly why: string };

function planSheets(files: Files, path: string, document: TuiDocument): SheetSource[] {
  const seen = new Set<string>();
  const folder = posix.dirname(path);
  const self = posix.resolve(files.cwd, path);
  return document.styles.map((style): SheetSource => {
    const { src } = style;
    if (src === null) return { kind: 'inline', style };
    const sheetPath = posix.isAbsolute(src) ? src : posix.join(folder, src);
    const absolute = posix.resolve(files.cwd, sheetPath);
    if (absolute === self || absolute.endsWith('.tui')) {
      return { kind: 'refused', style, why: 'includes a .tui document (include cycle)' };
    }
    if (seen.has(absolute)) {
      return { kind: 'refused', style, why: 'is included twice (include cycle)' };
    }
    seen.add(absolute);
    return { kind: 'file', style, path: sheetPath };
  });
}

async function readSheet(files: Files, path: string): Promise<SheetText> {
  try {
    return { path, bytes: await readText(files, path) };
  } catch (error) {
    return { path, failure: fileCause(error) };
  }
}

/** @param texts those of the plan's files, in order */
function joinSheets(
  document: TuiDocument,
  plan: readonly SheetSource[],
  texts: readonly SheetText[],
): LoadedDocument {
  const { file, version } = document;
  const sheets: Sheet[] = [];
  const diagnostics: Diagnostic[] = [...document.diagnostics];
  const add = (parsed: ReturnType<typeof parseSheet>) => {
    sheets.push(parsed.sheet);
    for (const found of parsed.diagnostics) diagnostics.push(found);
  };
  let next = 0;
  for (const source of plan) {
    const { style } = source;
    if (source.kind === 'inline') {
      add(parseSheet({ source: style.body, origins: style.origins, file, version }));
    } else if (source.kind === 'refused') {
      diagnostics.push(unusable(document, style, source.why));
    } else {
      const text = texts[next++]!;
      if ('failure' in text) {
        diagnostics.push(unusable(document, style, `cannot be read: ${text.failure}`));
        continue;
      }
      const written = lineFeeds(decodeUtf8(text.bytes));
      add(parseSheet({ source: written, file: baseName(text.path), version }));
    }
  }
  return { document, sheets, diagnostics, work: newTextWork() };
}

/** A lone CR starts a line in a sheet as it does in a document (U-003, U-229). */
function lineFeeds(source: string): string {
  return source.replace(/\r\n?/g, '\n');
}

function unusable(document: TuiDocument, style: StyleElement, what: string): Diagnostic {
  const { line, col } = style;
  const msg = `style ${written('src', `${style.src}`)} ${what}`;
  const { file } = document;
  return { severity: 'error', code: 'V006', msg, file, line, col, path: '/style', id: '' };
}
