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
