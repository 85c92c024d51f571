import { countTerms, hashToken, type Terms } from './terms.ts';
import { TOKENISER_VERSION, tokenise } from './tokenise.ts';

/** The words of one entry, as ranking reads them. */
export interface EntryWords {
  name: Terms;
  /** Description and when-to-use. */
  about: Terms;
  /** The body's first {@link OPENING_CHARS}. */
  opening: Terms;
  /** Hashes of the words of name and description in order, for phrases. */
  order: Uint32Array;
}

/** The parts of an indexed entry that have words, besides its body. */
export interface WordSource {
  name: string;
  description: string;
  whenToUse: string | null;
}

/**
 * Characters at the start of a body that ranking looks at: what a skill is for
 * stands there, and examples further down only blur it (docs/search.md has the figures).
 */
export const OPENING_CHARS = 4_000;

/** Grows with every change to what {@link packWords} writes. */
export const WORDS_FORMAT = 2;

/** Of another format or tokeniser, nothing is read: the words are made of the text again. */
const MARK = 0xec_00_00_00 + WORDS_FORMAT * 0x1_00_00 + TOKENISER_VERSION;
const HEAD_NUMBERS = 8;

export function readWords(source: WordSource, body: string): EntryWords {
  const name = tokenise(source.name);
  const about = tokenise(`${source.description} ${source.whenToUse ?? ''}`);
  return {
    name: countTerms(name),
    about: countTerms(about),
    opening: countTerms(tokenise(body.slice(0, OPENING_CHARS))),
    order: Uint32Array.from([...name, ...about], hashToken),
  };
}

/**
 * Words as `bodies.terms` keeps them: a mark, the length of each list and of each
 * text, then all hashes, then all counts. Numbers are 32 bits, little-endian.
 */
export function packWords({ name, about, opening, order }: EntryWords): Uint8Array {
  const fields = [name, about, opening];
  const numbers = [
    MARK,
    ...fields.flatMap(({ hashes, length }) => [hashes.length, length]),
    order.length,
    ...[name.hashes, about.hashes, opening.hashes, order].flatMap((list) => [...list]),
  ];
  const counts = fields.flatMap((field) => [...field.counts]);
  const packed = new Uint8Array(numbers.length * 4 + counts.length);
  const view = new DataView(packed.buffer);
  for (const [at, number] of numbers.entries()) view.setUint32(at * 4, number, true);
  packed.set(counts, numbers.length * 4);
  return packed;
}

/**
 * The inverse of {@link packWords}. The words are views of `packed`, which they
 * keep; nothing is copied, because a start unpacks every entry.
 *
 * @returns undefined for what this version of lectern did not pack
 */
export function unpackWords(packed: ArrayBuffer): EntryWords | undefined {
  if (packed.byteLength < HEAD_NUMBERS * 4) return undefined;
  const whole = readNumbers(packed, 0, packed.byteLength >> 2);
  const [mark, names, nameLength, abouts, aboutLength, openings, openingLength, ordered] = whole;
  if (mark !== MARK) return undefined;
  const distinct = names! + abouts! + openings!;
  const countsAt = (HEAD_NUMBERS + distinct + ordered!) * 4;
  if (packed.byteLength !== countsAt + distinct) return undefined;
  let hashAt = HEAD_NUMBERS;
  let countAt = countsAt;
  const take = (count: number, length: number): Terms => {
    const hashes = whole.subarray(hashAt, hashAt + count);
    const counts = new Uint8Array(packed, countAt, count);
    hashAt += count;
    countAt += count;
    return { hashes, counts, length };
  };
  return {
    name: take(names!, nameLength!),
    about: take(abouts!, aboutLength!),
    opening: take(openings!, openingLength!),
    order: whole.subarray(hashAt, hashAt + ordered!),
  };
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** `count` numbers from an aligned place; a view where the machine stores them the same way. */
function readNumbers(packed: ArrayBuffer, at: number, count: number): Uint32Array {
  if (IS_LITTLE_ENDIAN) return new Uint32Array(packed, at, count);
  const view = new DataView(packed, at);
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(i * 4, true));
}
