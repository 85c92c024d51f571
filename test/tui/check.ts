import { diagnosticText } from '../../src/tui/diagnostics/print.ts';
import { parseDocument } from '../../src/tui/language/parse.ts';
import type { TuiDocument } from '../../src/tui/markup/types.ts';

/** Parse a document given as text; its file name is `a.tui`. */
export function parse(text: string): TuiDocument {
  return parseDocument(new TextEncoder().encode(text), 'a.tui');
}

/** Its parse diagnostics in text form, without the file name. */
export function check(text: string): string[] {
  return parse(text).diagnostics.map((diagnostic) =>
    diagnosticText(diagnostic).replace('a.tui:', ''),
  );
}

/** Diagnostics of a document whose one screen holds `body`, without place and path. */
export function messages(body: string, version = 2): string[] {
  const text = `<tui version="${version}"><screen id="s">${body}</screen></tui>`;
  return parse(text).diagnostics.map(({ code, msg }) => `${code} ${msg}`);
}

/** Diagnostics of a whole document, as code and message. */
export function found(text: string): string[] {
  return parse(text).diagnostics.map(({ code, msg }) => `${code} ${msg}`);
}

/** The part of a message that the contract fixes: everything before its free advice. */
export function starts(list: readonly string[], ...heads: string[]): boolean {
  return list.length === heads.length && list.every((text, i) => text.startsWith(heads[i]!));
}
