/** A place in the source, 1-based, columns in code points. */
export interface Place {
  readonly line: number;
  readonly col: number;
}

/** Sheet text without comments, and the source place of each of its UTF-16 units. */
export interface Characters {
  readonly text: string;
  /** One more entry than `text` has units: the last one is the end of input. */
  readonly places: readonly Place[];
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

/** Replaces each comment by one space and remembers where everything stood (G-007, U-103). */
export function readCharacters({ source, start, origins }: SheetSource): Characters {
  const places = origins ?? followPlaces(source, start ?? { line: 1, col: 1 });
  const kept: string[] = [];
  const keptPlaces: Place[] = [];
  let unclosedComment: Place | null = null;
  let at = source.startsWith('\uFEFF') && !origins ? 1 : 0;
  while (at < source.length) {
    const place = places[at]!;
    if (source.startsWith('/*', at)) {
      const end = source.indexOf('*/', at + 2);
      if (end < 0) {
        unclosedComment = place;
        break;
      }
      kept.push(' ');
      keptPlaces.push(place);
      at = end + 2;
    } else {
      const skipCarriageReturn = source[at] === '\r' && source[at + 1] === '\n';
      if (!skipCarriageReturn) {
        kept.push(source[at]!);
        keptPlaces.push(place);
      }
      at++;
    }
  }
  keptPlaces.push(places[at] ?? endPlace(source, places, start));
  return { text: kept.join(''), places: keptPlaces, unclosedComment };
}

/** Line and column of every unit; only LF starts a line (U-003), a surrogate pair is one column. */
function followPlaces(source: string, start: Place): Place[] {
  const places: Place[] = [];
  let { line, col } = start;
  for (let at = 0; at < source.length; at++) {
    places.push({ line, col });
    const unit = source.charCodeAt(at);
    if (unit === 0x0a) {
      line++;
      col = 1;
    } else if (!countsNothing(source, at, unit)) {
      col++;
    }
  }
  places.push({ line, col });
  return places;
}

/** A byte-order mark, the CR of a CR LF and the second half of a surrogate pair take no column. */
function countsNothing(source: string, at: number, unit: number): boolean {
  if (at === 0 && unit === 0xfeff) return true;
  if (unit === 0x0d && source.charCodeAt(at + 1) === 0x0a) return true;
  return unit >= 0xd800 && unit <= 0xdbff && at + 1 < source.length;
}

function endPlace(source: string, places: readonly Place[], start: Place | undefined): Place {
  const last = places[source.length - 1];
  if (!last) return start ?? { line: 1, col: 1 };
  return source.endsWith('\n')
    ? { line: last.line + 1, col: 1 }
    : { line: last.line, col: last.col + 1 };
}
