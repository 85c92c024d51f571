import { tokenise } from './tokenise.ts';

/**
 * Characters at the start of a body that ranking looks at: what a skill is for
 * stands there, and examples further down only blur it (docs/search.md has the figures).
 */
export const OPENING_CHARS = 4_000;

/**
 * Distinct tokens of a text with their counts, sorted by hash. Compact because
 * one is kept for every body: ranking asks how often a query's words occur there.
 */
export interface Terms {
  /** Ascending 32-bit hashes of the distinct tokens. */
  hashes: Uint32Array;
  /** How often each occurs, at most 255. */
  counts: Uint8Array;
  /** Tokens in all, repeats included. */
  length: number;
}

/** FNV-1a over UTF-16 units. Two of 10^5 tokens collide now and then; a count is then a little high. */
export function hashToken(token: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < token.length; i++) {
    hash ^= token.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

export function countTerms(tokens: readonly string[]): Terms {
  const counts = new Map<number, number>();
  for (const token of tokens) {
    const hash = hashToken(token);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  const hashes = Uint32Array.from(counts.keys()).sort();
  const sorted = new Uint8Array(hashes.length);
  for (let i = 0; i < hashes.length; i++) sorted[i] = Math.min(255, counts.get(hashes[i]!)!);
  return { hashes, counts: sorted, length: tokens.length };
}

/** The terms of a body's opening, as `bodies.terms` stores them. */
export function packBodyTerms(body: string): Uint8Array {
  return packTerms(countTerms(tokenise(body.slice(0, OPENING_CHARS))));
}

/** Little-endian: token count, then the hashes, then their counts. */
export function packTerms(terms: Terms): Uint8Array {
  const distinct = terms.hashes.length;
  const packed = new Uint8Array(4 + distinct * 5);
  const view = new DataView(packed.buffer);
  view.setUint32(0, terms.length, true);
  for (let i = 0; i < distinct; i++) view.setUint32(4 + i * 4, terms.hashes[i]!, true);
  packed.set(terms.counts, 4 + distinct * 4);
  return packed;
}

/** The inverse of {@link packTerms}; anything that is not one reads as no terms. */
export function unpackTerms(packed: Uint8Array): Terms {
  const distinct = (packed.byteLength - 4) / 5;
  if (!Number.isInteger(distinct) || distinct < 0)
    return { hashes: new Uint32Array(0), counts: new Uint8Array(0), length: 0 };
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const hashes = new Uint32Array(distinct);
  for (let i = 0; i < distinct; i++) hashes[i] = view.getUint32(4 + i * 4, true);
  return {
    hashes,
    counts: packed.slice(4 + distinct * 4),
    length: view.getUint32(0, true),
  };
}

/** How often a token of this hash occurs; 0 when it does not. */
export function countOf(terms: Terms, hash: number): number {
  let low = 0;
  let high = terms.hashes.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = terms.hashes[middle]!;
    if (found === hash) return terms.counts[middle]!;
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}
