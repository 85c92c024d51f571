/**
 * A JSON text with the white space between its parts removed and `<`, `>`, `&`, U+2028 and U+2029
 * escaped inside strings; all else stays as written (U-005, U-212).
 *
 * @param text valid JSON
 */
export function compactRaw(text: string): string {
  let out = '';
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (inString && char === '\\') {
      out += char + text[++i]!;
      continue;
    }
    if (char === '"') inString = !inString;
    if (!inString && (char === ' ' || char === '\n' || char === '\r' || char === '\t')) continue;
    out += '<>&\u2028\u2029'.includes(char)
      ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
      : char;
  }
  return out;
}
