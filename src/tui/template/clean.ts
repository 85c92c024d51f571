const HAS_CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Remove escape sequences and control characters (U-059): whole CSI and OSC sequences, ESC plus one
 * character, every C0 and C1 code point and DEL. LF stays when asked.
 */
export function cleanText(text: string, options: { keepLf: boolean }): string {
  if (!HAS_CONTROL.test(text)) return text;
  let out = '';
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code === 0x1b) {
      i = skipEscape(text, i);
    } else {
      const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
      if (!isControl || (code === 0x0a && options.keepLf)) out += text[i];
      i++;
    }
  }
  return out;
}

/** Index after the escape sequence that starts at `start`; an unfinished one runs to the end. */
function skipEscape(text: string, start: number): number {
  const kind = text[start + 1];
  if (kind === undefined) return text.length;
  let i = start + 2;
  if (kind === '[') {
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x40 && code <= 0x7e) return i + 1;
    }
    return text.length;
  }
  if (kind === ']') {
    for (; i < text.length; i++) {
      if (text[i] === '\u0007') return i + 1;
      if (text[i] === '\u001b' && text[i + 1] === '\\') return i + 2;
    }
    return text.length;
  }
  return start + 1 + String.fromCodePoint(text.codePointAt(start + 1)!).length;
}
