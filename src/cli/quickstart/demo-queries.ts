/** What to search for when nobody says: taken from the entries themselves. */

/** A search is a dozen words; a description is often a paragraph. */
const MOST_WORDS = 12;

/** The first sentence of a description, as somebody might put the task. */
export function queryFrom(description: string): string {
  const sentence =
    description
      .replace(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?])\s/, 1)[0] ?? '';
  return sentence
    .replace(/[.!?]+$/, '')
    .split(' ')
    .slice(0, MOST_WORDS)
    .join(' ')
    .toLowerCase();
}

/** Up to `most` queries, from entries spread evenly over the list. */
export function pickQueries(descriptions: readonly string[], most: number): string[] {
  const usable = descriptions.filter((text) => queryFrom(text) !== '');
  const wanted = Math.min(most, usable.length);
  return Array.from({ length: wanted }, (_, at) =>
    queryFrom(usable[Math.floor(((at + 0.5) * usable.length) / wanted)]!),
  );
}
