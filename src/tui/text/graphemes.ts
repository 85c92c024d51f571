import { BREAK, breakClass, pointWidth } from './properties.ts';

/** An extended grapheme cluster and its columns: 0, 1 or 2. */
export interface Cluster {
  readonly text: string;
  readonly width: number;
}

const LONE_SURROGATE = /\p{Cs}/gu;
const PLAIN = /^[\x20-\x7e]*$/;

/** One shared cluster for each printable ASCII character: most text is made of these. */
const ASCII: readonly Cluster[] = Array.from({ length: 128 }, (_, point) => ({
  text: String.fromCharCode(point),
  width: 1,
}));

/** True for text of printable ASCII only: each character is one cluster of one column. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/**
 * Splits text into extended grapheme clusters (G-083: Unicode 15.0.0, without GB9c). A lone
 * surrogate stands for an invalid byte and becomes U+FFFD (G-087).
 */
export function segment(text: string): Cluster[] {
  const clusters: Cluster[] = [];
  visitClusters(text, (cluster) => {
    clusters.push(cluster);
    return true;
  });
  return clusters;
}

/** Hands out the clusters of a text in order until `visit` returns false. */
export function visitClusters(text: string, visit: (cluster: Cluster) => boolean): void {
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    const end = isLoneAscii(text, at, unit) ? at + 1 : clusterEnd(text, at);
    const isAscii = end === at + 1 && unit >= 0x20 && unit < 0x7f;
    if (!visit(isAscii ? ASCII[unit]! : clusterOf(text.slice(at, end)))) return;
    at = end;
  }
}

/** A printable ASCII character in front of another ASCII character, or at the end, stands alone. */
function isLoneAscii(text: string, at: number, unit: number): boolean {
  if (unit < 0x20 || unit >= 0x7f) return false;
  return at + 1 >= text.length || text.charCodeAt(at + 1) < 0x80;
}

function clusterOf(text: string): Cluster {
  const shown = text.replace(LONE_SURROGATE, '\uFFFD');
  return { text: shown, width: clusterWidth(shown) };
}

/** Columns of a string: the sum over its clusters (G-086). */
export function stringWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (let at = 0; at < text.length; ) {
    const end = clusterEnd(text, at);
    width += clusterWidth(text.slice(at, end));
    at = end;
  }
  return width;
}

/** A cluster that is 2 wide or has more than one code point (G-088). */
export function isComplex(cluster: Cluster): boolean {
  const { text, width } = cluster;
  return (
    width === 2 ||
    (text.length > 1 && text.length > String.fromCodePoint(text.codePointAt(0)!).length)
  );
}

/** Index behind the cluster that starts at `start`. */
export function clusterEnd(text: string, start: number): number {
  let point = text.codePointAt(start)!;
  let at = start + (point > 0xffff ? 2 : 1);
  let before = breakClass(point);
  let indicators = before === BREAK.RegionalIndicator ? 1 : 0;
  // GB11: inside `Extended_Pictographic Extend*`, so that a ZWJ may join another pictograph.
  let inPictograph = before === BREAK.Pictographic;
  let joinsPictograph = false;
  while (at < text.length) {
    point = text.codePointAt(at)!;
    const after = breakClass(point);
    if (hasBreak(before, after, indicators, joinsPictograph)) break;
    joinsPictograph = inPictograph && after === BREAK.ZWJ;
    inPictograph = after === BREAK.Pictographic || (inPictograph && after === BREAK.Extend);
    if (after === BREAK.RegionalIndicator) indicators++;
    before = after;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

function hasBreak(before: number, after: number, indicators: number, joinsPictograph: boolean) {
  if (before === BREAK.CR) return after !== BREAK.LF;
  if (isControl(before) || isControl(after)) return true;
  if (before === BREAK.L) {
    if (after === BREAK.L || after === BREAK.V || after === BREAK.LV || after === BREAK.LVT)
      return false;
  } else if (before === BREAK.LV || before === BREAK.V) {
    if (after === BREAK.V || after === BREAK.T) return false;
  } else if (before === BREAK.LVT || before === BREAK.T) {
    if (after === BREAK.T) return false;
  }
  if (after === BREAK.Extend || after === BREAK.ZWJ || after === BREAK.SpacingMark) return false;
  if (before === BREAK.Prepend) return false;
  if (before === BREAK.ZWJ && after === BREAK.Pictographic) return !joinsPictograph;
  if (before === BREAK.RegionalIndicator && after === BREAK.RegionalIndicator)
    return indicators % 2 === 0;
  return true;
}

function isControl(kind: number): boolean {
  return kind === BREAK.CR || kind === BREAK.LF || kind === BREAK.Control;
}

/** Columns of a cluster (G-085). */
function clusterWidth(cluster: string): number {
  const lead = cluster.codePointAt(0)!;
  const kind = breakClass(lead);
  if (kind === BREAK.RegionalIndicator || kind === BREAK.L) return pointWidth(lead);
  let sum = 0;
  let pictograph = pointWidth(lead);
  for (const char of cluster) {
    const point = char.codePointAt(0)!;
    sum += pointWidth(point);
    if (point === 0xfe0e) pictograph = 1;
    else if (point === 0xfe0f) pictograph = 2;
  }
  return kind === BREAK.Pictographic ? pictograph : Math.min(2, sum);
}

/** Whether a string holds a code point that can join a neighbour (G-099). */
export function hasJoiner(text: string): boolean {
  if (isPlain(text)) return false;
  for (const char of text) {
    const kind = breakClass(char.codePointAt(0)!);
    if (kind !== BREAK.Other && kind !== BREAK.Pictographic) return true;
  }
  return false;
}

/** Whether a cluster ends in a code point that takes what follows into its cluster. */
export function endsInPrepend(cluster: string): boolean {
  const last = [...cluster].at(-1);
  return last !== undefined && breakClass(last.codePointAt(0)!) === BREAK.Prepend;
}
