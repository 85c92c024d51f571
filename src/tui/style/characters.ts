/** A place in the source, 1-based, columns in code points. */
export interface Place {
  readonly line: number;
  readonly col: number;
}

/** Sheet text without comments. */
export interface Characters {
  readonly text: string;
  /** Source place of a UTF-16 unit of `text`; its length gives the end of input. */
  readonly placeAt: (index: number) => Place;
  /** Where a comment that is never closed starts; the text ends there. */
  readonly unclosedComment: Place | null;
}

export interface SheetSource {
  /** CR LF already read as LF, or not: both work. A leading byte-order mark is dropped. */
  readonly source: string;
  /** Place of the first character; 1:1 unless given. */
  readonly start?: Place;
  /** Place of every UTF-16 unit of `source`; wins over `start`. */
  readonly origins?: readonly Place[];
}

/** From `from` on, `text` stands in the source at `at`. */
interface Stretch {
  readonly from: number;
  readonly at: number;
}

/** Replaces each comment by one space and remembers where everything stood (G-007, U-103). */
export function readCharacters({ source, start, origins }: SheetSource): Characters {
  const first = source.startsWith('\uFEFF') && !origins ? 1 : 0;
  const stretches: Stretch[] = [];
  let text = '';
  const keep = (from: number, to: number) => {
    if (from === to) return;
    stretches.push({ from: text.length, at: from });
    text += source.slice(from, to);
  };
  let at = first;
  let unclosed = -1;
  while (at < source.length) {
    const comment = source.indexOf('/*', at);
    const end = comment < 0 ? source.length : comment;
    at = keepLines(source, at, end, keep);
    if (comment < 0) break;
    const close = source.indexOf('*/', comment + 2);
    if (close < 0) {
      unclosed = comment;
      break;
    }
    stretches.push({ from: text.length, at: comment });
    text += ' ';
    at = close + 2;
  }
  const stopped = unclosed >= 0 ? unclosed : source.length;
  const sourcePlace = origins
    ? originPlace(source, origins, start)
    : followLines(source, first, start);
  const placeAt = (index: number) => {
    if (index >= text.length) return sourcePlace(stopped);
    const { from, at: begin } = findStretch(stretches, index);
    return sourcePlace(begin + index - from);
  };
  return { text, placeAt, unclosedComment: unclosed >= 0 ? sourcePlace(unclosed) : null };
}

/** Keeps a part of the source, CR LF as LF; returns where it ends. */
function keepLines(
  source: string,
  from: number,
  to: number,
  keep: (from: number, to: number) => void,
): number {
  let at = from;
  for (let cr = source.indexOf('\r\n', at); cr >= 0 && cr < to; cr = source.indexOf('\r\n', at)) {
    keep(at, cr);
    at = cr + 1;
  }
  keep(at, to);
  return to;
}

function findStretch(stretches: readonly Stretch[], index: number): Stretch {
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (stretches[middle]!.from <= index) low = middle;
    else high = middle - 1;
  }
  return stretches[low]!;
}

/** Places by counting: only LF starts a line (U-003), a surrogate pair is one column. */
function followLines(source: string, first: number, start: Place = { line: 1, col: 1 }) {
  const lines = [first];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1))
    lines.push(at + 1);
  // Places are asked for in rising order: counting on from the last one keeps a sheet that is one
  // long line from costing the square of its length.
  let last = { line: -1, at: 0, col: 0 };
  return (at: number): Place => {
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (lines[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    const known = last.line === low && last.at <= at ? last : { at: lines[low]!, col: 0 };
    const col = known.col + countPoints(source, known.at, at);
    last = { line: low, at, col };
    return { line: start.line + low, col: low === 0 ? start.col + col : col + 1 };
  };
}

/** Code points that start in a part of the source. */
function countPoints(source: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const unit = source.charCodeAt(at);
    const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff && isFirstHalf(source.charCodeAt(at - 1));
    if (!isSecondHalf) count++;
  }
  return count;
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function originPlace(source: string, origins: readonly Place[], start: Place | undefined) {
  return (at: number): Place => {
    const known = origins[at];
    if (known) return known;
    const last = origins[source.length - 1];
    if (!last) return start ?? { line: 1, col: 1 };
    return source.endsWith('\n')
      ? { line: last.line + 1, col: 1 }
      : { line: last.line, col: last.col + 1 };
  };
}
