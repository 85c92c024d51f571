/**
 * Whether a text matches a glob: `*` is any run of characters, including none;
 * nothing else is special (library contract 3.5, 6.3.1). Takes time linear in
 * the text for each piece, whatever the glob: a pattern language with
 * backtracking could be made to run for hours.
 */
export function matchesGlob(text: string, glob: string): boolean {
  const pieces = glob.split('*');
  const first = pieces[0]!;
  if (pieces.length === 1) return text === first;
  const last = pieces.at(-1)!;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
