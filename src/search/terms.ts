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
