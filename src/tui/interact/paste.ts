import { cleanText } from '../template/clean.ts';

/** Only so much of a paste counts (U-232). */
const MAX_PASTE_BYTES = 1024 * 1024;

/** Pasted text as it is inserted: one line, no controls (G-156). */
export function normalisePaste(text: string): string {
  const limited = limitBytes(text.replace(/\p{Cs}/gu, ''));
  const line = limited.replaceAll('\r\n', '\n').replace(/[\r\n\t]/g, ' ');
  return cleanText(line, { keepLf: false });
}

function limitBytes(text: string): string {
  if (text.length * 3 <= MAX_PASTE_BYTES || Buffer.byteLength(text) <= MAX_PASTE_BYTES) return text;
  // A character cut in half decodes to U+FFFD at the end; it is not part of the paste.
  const cut = Buffer.from(text).subarray(0, MAX_PASTE_BYTES).toString();
  return cut.replace(/\uFFFD$/, '');
}
