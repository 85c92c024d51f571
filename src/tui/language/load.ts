import { posix } from 'node:path';
import type { Diagnostic } from '../diagnostics/types.ts';
import { type Files, fileCause } from '../files/types.ts';
import { decodeUtf8 } from '../json/decode.ts';
import type { StyleElement, TuiDocument } from '../markup/types.ts';
import { parseSheet } from '../style/sheet.ts';
import type { Sheet } from '../style/types.ts';
import { written } from './context.ts';
import { parseDocument } from './parse.ts';

/** A document with its sheets, before data and theme. */
export interface LoadedDocument {
  readonly document: TuiDocument;
  /** Sheets in document order, inline and external alike; unusable ones are left out. */
  readonly sheets: readonly Sheet[];
  /** Parse and stylesheet diagnostics, in that order, not yet sorted; unknown tokens depend on the theme. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Read a document and its stylesheets (U-102).
 *
 * @param path as given on the command line
 * @throws what `files.readFile` throws for the document itself; a sheet's failure is a V006
 */
export async function loadDocument(files: Files, path: string): Promise<LoadedDocument> {
  const bytes = await files.readFile(path);
  const document = parseDocument(bytes, baseName(path));
  return loadSheets(files, path, document);
}

/** Base name of a path as diagnostics show it (U-004). */
export function baseName(path: string): string {
  return posix.basename(path.replaceAll('\\', '/'));
}

async function loadSheets(
  files: Files,
  path: string,
  document: TuiDocument,
): Promise<LoadedDocument> {
  const sheets: Sheet[] = [];
  const diagnostics: Diagnostic[] = [...document.diagnostics];
  const seen = new Set<string>();
  const folder = posix.dirname(path);
  const self = posix.resolve(files.cwd, path);
  for (const style of document.styles) {
    const { version } = document;
    if (style.src === null) {
      const { body: source, origins } = style;
      const parsed = parseSheet({ source, origins, file: document.file, version });
      sheets.push(parsed.sheet);
      for (const found of parsed.diagnostics) diagnostics.push(found);
      continue;
    }
    const { src } = style;
    const sheetPath = posix.isAbsolute(src) ? src : posix.join(folder, src);
    const absolute = posix.resolve(files.cwd, sheetPath);
    const refuse = (what: string) => diagnostics.push(unusable(document, style, `${src}`, what));
    if (absolute === self || absolute.endsWith('.tui')) {
      refuse('includes a .tui document (include cycle)');
    } else if (seen.has(absolute)) {
      refuse('is included twice (include cycle)');
    } else {
      seen.add(absolute);
      try {
        const source = lineFeeds(decodeUtf8(await files.readFile(sheetPath)));
        const parsed = parseSheet({ source, file: baseName(sheetPath), version });
        sheets.push(parsed.sheet);
        for (const found of parsed.diagnostics) diagnostics.push(found);
      } catch (error) {
        refuse(`cannot be read: ${fileCause(error)}`);
      }
    }
  }
  return { document, sheets, diagnostics };
}

/** A lone CR starts a line in a sheet as it does in a document (U-003, U-229). */
function lineFeeds(source: string): string {
  return source.replace(/\r\n?/g, '\n');
}

function unusable(
  document: TuiDocument,
  style: StyleElement,
  src: string,
  what: string,
): Diagnostic {
  const { line, col } = style;
  const msg = `style ${written('src', src)} ${what}`;
  const { file } = document;
  return { severity: 'error', code: 'V006', msg, file, line, col, path: '/style', id: '' };
}
