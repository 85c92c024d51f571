import { editDistance } from '../core/edit-distance.ts';

/**
 * The known word that was probably meant; undefined when none is near: more
 * than a third of the letters wrong is another word, not a slip.
 */
export function didYouMean(typed: string, known: readonly string[]): string | undefined {
  let best: { word: string; distance: number } | undefined;
  for (const word of known) {
    const distance = editDistance(typed.toLowerCase(), word);
    const allowed = Math.max(1, Math.floor(word.length / 3));
    if (distance <= allowed && (best === undefined || distance < best.distance)) {
      best = { word, distance };
    }
  }
  return best?.word;
}

/** Flags that other tools call by these names. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  limit: 'top-k',
  n: 'top-k',
  count: 'top-k',
  max: 'top-k',
  top: 'top-k',
  format: 'json',
  output: 'json',
  force: 'yes',
  type: 'kind',
};

/**
 * The flag of a command that was probably meant by one it does not have.
 *
 * @param typed with its dashes
 * @param known names without dashes
 * @returns with its dashes
 */
export function flagMeant(typed: string, known: readonly string[]): string | undefined {
  const name = typed.replace(/^-+/, '').replace(/=.*$/, '');
  const other = OTHER_NAMES[name];
  const meant = other !== undefined && known.includes(other) ? other : didYouMean(name, known);
  return meant === undefined ? undefined : `--${meant}`;
}
