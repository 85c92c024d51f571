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

/** What somebody types about a task; a description is often a paragraph. */
const MOST_WORDS = 8;
/** Fewer words say too little of a task. */
const LEAST_WORDS = 3;

/** Words that a query cut to its length must not end with. */
const DANGLING = /\s+(?:an?|and|as|at|by|for|from|in|into|is|of|on|or|that|the|to|when|with)$|,$/;

/** What is known of an entry that a demonstration may ask for. */
export interface DemoEntry {
  name: string;
  description: string;
  when_to_use: string | null;
}

/**
 * A task that an entry is for, in few words: from what it says of when to use
 * it, else from the middle of its description. Its beginning and its name would
 * prove nothing: they are what is looked for first.
 *
 * @returns undefined when the entry says too little
 */
export function taskOf({ name, description, when_to_use }: DemoEntry): string | undefined {
  const [first = '', ...others] = sentencesOf(description);
  const told = [...sentencesOf(when_to_use ?? ''), ...others];
  const addressed = [first, ...told].filter((sentence) => ADDRESS.test(sentence));
  const middle = first.split(' ').slice(LEAST_WORDS).join(' ');
  const names = new Set([name.toLowerCase(), name.toLowerCase().replaceAll(/[-_]/g, ' ')]);
  return [...addressed, ...told, middle]
    .map(shorten)
    .find(
      (task) =>
        task.split(' ').length >= LEAST_WORDS && ![...names].some((each) => task.includes(each)),
    );
}

function sentencesOf(text: string): string[] {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?;])\s/)
    .filter((sentence) => sentence !== '');
}

function shorten(sentence: string): string {
  let task = sentence
    .replace(ADDRESS, '')
    .replaceAll(/["“”`*:;.!?()]+(?=\s|$)|(?<=^|\s)["“”`*(]+/g, '')
    .toLowerCase()
    .trim()
    .split(' ')
    .slice(0, MOST_WORDS)
    .join(' ');
  while (DANGLING.test(task)) task = task.replace(DANGLING, '');
  return task;
}

/** Up to `most` queries, from entries spread evenly over the list. */
export function pickQueries(entries: readonly DemoEntry[], most: number): string[] {
  const tasks = [...new Set(entries.flatMap((entry) => taskOf(entry) ?? []))];
  const wanted = Math.min(most, tasks.length);
  return Array.from(
    { length: wanted },
    (_, at) => tasks[Math.floor(((at + 0.5) * tasks.length) / wanted)]!,
  );
}
