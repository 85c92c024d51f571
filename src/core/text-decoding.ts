import { isUtf8 } from 'node:buffer';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export interface DecodedText {
  /** Without the byte order mark. */
  text: string;
  encoding: TextEncoding;
  hadByteOrderMark: boolean;
  /**
   * 1-based line of the first byte sequence that the encoding does not allow;
   * it and any later one read as U+FFFD. Null for well-formed text.
   */
  damagedLine: number | null;
}

/**
 * Text of a file somebody else wrote: UTF-8 with or without a byte order mark,
 * or UTF-16 where a mark says so. Never throws; damage is reported, not hidden.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be');
  const hadByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const content = hadByteOrderMark ? bytes.subarray(3) : bytes;
  if (isUtf8(content)) {
    const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString();
    return { text, encoding: 'utf-8', hadByteOrderMark, damagedLine: null };
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
  return { text, encoding: 'utf-8', hadByteOrderMark, damagedLine: lineOfReplacement(text) };
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(2));
  const isWhole = isWellFormedUtf16(bytes.subarray(2), encoding);
  return {
    text,
    encoding,
    hadByteOrderMark: true,
    damagedLine: isWhole ? null : lineOfReplacement(text),
  };
}

function isWellFormedUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): boolean {
  try {
    new TextDecoder(encoding, { ignoreBOM: true, fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function lineOfReplacement(text: string): number {
  const at = text.indexOf('\ufffd');
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line += 1;
  return line;
}
