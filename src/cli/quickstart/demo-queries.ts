/** What to search for when nobody says. */

/**
 * For the starter catalog: tasks in the words of somebody who has one, which are
 * not the words of the entry that answers; and one that nothing answers.
 */
export const STARTER_QUERIES: readonly string[] = [
  'the same check passes and fails from one run to the next',
  'it worked last month and nobody knows which change broke it',
  'book a table for two tonight',
];

/** How descriptions address an agent; nobody with a task begins like that. */
const ADDRESS =
  /^(?:you must |this (?:skill|command|agent) should be |should be )?used? (?:this (?:skill|command|agent|tool)? ?)?(?:proactively )?(?:when(?:ever)?|before|after|for|to|if)\s+(?:the user (?:asks|wants|needs)(?: you)? to |you need to |you have |you are |asked to )?/i;

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
    .replace(ADDRESS, '')
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
