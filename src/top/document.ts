import { readFile } from 'node:fs/promises';
import type { Files } from '../tui/files/types.ts';
import { type LoadedDocument, loadDocument } from '../tui/index.ts';

declare const __LECTERN_TOP_DOCUMENT__: string | undefined;
declare const __LECTERN_TOP_SHEET__: string | undefined;

/** Where the document and its sheet come from: the bundle holds them, sources lie beside. */
const BUNDLED: Readonly<Record<string, string | undefined>> = {
  'top.tui': typeof __LECTERN_TOP_DOCUMENT__ === 'string' ? __LECTERN_TOP_DOCUMENT__ : undefined,
  'top.tcss': typeof __LECTERN_TOP_SHEET__ === 'string' ? __LECTERN_TOP_SHEET__ : undefined,
};

const files: Files = {
  cwd: '/',
  readFile: async (path) => {
    const text = BUNDLED[path];
    return text === undefined
      ? readFile(new URL(path, import.meta.url))
      : Buffer.from(text, 'utf8');
  },
};

/** The dashboard's document, with its sheet. */
export function loadTopDocument(): Promise<LoadedDocument> {
  return loadDocument(files, 'top.tui');
}
