import { editDistance } from '../core/edit-distance.ts';

/** Names a message offers: more is a listing, not a suggestion. */
export const NEAR_SHOWN = 3;

/**
 * Those whose name `asked` is probably a slip of, nearest first: at most a
 * third of the letters wrong. Of an id only the last part is a name.
 */
export function nearNames<Named extends { name: string }>(
  asked: string,
  entries: readonly Named[],
): Named[] {
  const typed = asked.slice(Math.max(asked.lastIndexOf(':'), asked.lastIndexOf('/')) + 1);
  const wanted = typed.toLowerCase();
  const found: { entry: Named; distance: number }[] = [];
  for (const entry of entries) {
    const allowed = Math.max(1, Math.floor(entry.name.length / 3));
    // A name much longer or shorter is no slip; this also keeps a giant argument cheap.
    if (Math.abs(entry.name.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, entry.name.toLowerCase());
    if (distance <= allowed) found.push({ entry, distance });
  }
  found.sort((a, b) => a.distance - b.distance);
  const best = found[0]?.distance ?? 0;
  // A single wrong letter leaves no doubt: three letters off is then another word.
  return found
    .filter((it) => it.distance <= best + 1)
    .slice(0, NEAR_SHOWN)
    .map((it) => it.entry);
}
