import { LecternError } from '../core/errors.ts';

/** Everything that XML 1.0 has no way to write, whatever the escape (its production 2). */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * Text inside an XML element. Line breaks and tabs as references: a parser
 * would turn a carriage return into something else.
 *
 * @throws LecternError usage where XML cannot hold the text: without the
 *   character it would be another path
 */
export function escapeXml(text: string): string {
  if (UNWRITABLE.test(text)) {
    throw new LecternError(
      'usage',
      `a login service cannot name ${JSON.stringify(text)}: it holds a control character`,
      { next: 'lectern daemon start   (agents also start it when they need it)' },
    );
  }
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The text that `escapeXml` was given. */
export function unescapeXml(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
