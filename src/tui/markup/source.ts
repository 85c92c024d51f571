import type { Position } from './types.ts';

/** Text of a document: BOM dropped, CR LF and lone CR read as LF (U-003, U-011). */
export function normaliseSource(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}

/**
 * Bytes to document text.
 * @returns `null` when they are not valid UTF-8 (U-011)
 */
export function decodeSource(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Turns offsets into positions (U-002). Offsets asked for in rising order cost their distance; a
 * step back starts over from the line it is in.
 */
export class PositionFinder {
  readonly #text: string;
  #offset = 0;
  #line = 1;
  #col = 1;

  constructor(text: string) {
    this.#text = text;
  }

  at(offset: number): Position {
    if (offset < this.#offset) this.#rewind(offset);
    const text = this.#text;
    for (let i = this.#offset; i < offset; i++) {
      const code = text.charCodeAt(i);
      if (code === 0x0a) {
        this.#line++;
        this.#col = 1;
      } else if (!isLowHalf(text, i, code)) this.#col++;
    }
    this.#offset = offset;
    return { line: this.#line, col: this.#col };
  }

  #rewind(offset: number): void {
    const text = this.#text;
    for (let i = this.#offset - 1; i >= offset; i--) if (text[i] === '\n') this.#line--;
    this.#offset = text.lastIndexOf('\n', offset - 1) + 1;
    if (offset === 0) this.#offset = 0;
    this.#col = 1;
  }
}

/** The second half of a surrogate pair does not count: columns are code points. */
function isLowHalf(text: string, index: number, code: number): boolean {
  if (code < 0xdc00 || code > 0xdfff || index === 0) return false;
  const before = text.charCodeAt(index - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
