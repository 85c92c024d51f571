import { isPlain, segment, stringWidth } from './graphemes.ts';

/** The only ellipsis (G-090). */
const ELLIPSIS = '…';

/** The longest prefix of whole clusters at most `n` columns wide, with what has no width behind it. */
export function cut(text: string, n: number): string {
  if (n <= 0) return '';
  if (isPlain(text)) return text.slice(0, n);
  let kept = '';
  let width = 0;
  for (const cluster of segment(text)) {
    width += cluster.width;
    if (width > n) break;
    kept += cluster.text;
  }
  return kept;
}

/** The longest suffix of whole clusters at most `n` columns wide. */
export function cutEnd(text: string, n: number): string {
  if (n <= 0) return '';
  if (isPlain(text)) return text.slice(Math.max(0, text.length - n));
  let kept = '';
  let width = 0;
  for (const cluster of segment(text).reverse()) {
    width += cluster.width;
    if (width > n) break;
    kept = cluster.text + kept;
  }
  return kept;
}

/** `text` when it fits in `n` columns, else cut at its end, start or middle (G-090). */
export function truncate(
  text: string,
  n: number,
  mode: 'truncate' | 'truncate-start' | 'truncate-middle' = 'truncate',
): string {
  if (stringWidth(text) <= Math.max(0, n)) return text;
  if (n <= 0) return '';
  if (n === 1) return ELLIPSIS;
  if (mode === 'truncate-start') return ELLIPSIS + cutEnd(text, n - 1);
  if (mode === 'truncate-middle') {
    return cut(text, Math.floor(n / 2)) + ELLIPSIS + cutEnd(text, Math.floor((n - 1) / 2));
  }
  return cut(text, n - 1) + ELLIPSIS;
}
