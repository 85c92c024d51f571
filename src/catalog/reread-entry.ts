import { basename } from 'node:path';
import { basename as baseOf, dirname as dirOf } from 'node:path/posix';
import { resolveReal } from './contain.ts';
import { MAX_ENTRY_BYTES } from './limits.ts';
import { parseEntry } from './load-entries.ts';
import { readBounded } from './read-bounded.ts';
import type { EntryReading, KnownEntry, PluginFormat } from './types.ts';

/**
 * Read one changed entry again without its catalog: the common case of a save.
 *
 * @returns the entry under its known name; null where only reading the whole
 *   root again can tell: the file is gone, moved or refused, or its own name
 *   changed, so that names may have to be told apart anew
 */
export async function rereadEntry(
  known: KnownEntry,
  format: PluginFormat,
): Promise<EntryReading | null> {
  if (resolveReal(known.file) !== known.file) return null;
  const found = await readBounded(known.file, MAX_ENTRY_BYTES);
  if ('refused' in found) return null;
  const entry = parseEntry(found.file, { ...known, fallbackName: fallbackNameOf(known) }, format);
  if (entry === null || entry.declaredName !== known.declaredName) return null;
  if (known.name === known.declaredName) return entry;
  const [warning] = known.problems.slice(-1);
  return {
    ...entry,
    name: known.name,
    problems: warning === undefined ? entry.problems : [...entry.problems, warning],
  };
}

function fallbackNameOf(known: KnownEntry): string {
  if (known.kind !== 'skill') return baseOf(known.path).replace(/\.md$/i, '');
  const folder = dirOf(known.path);
  // The skill that is its plugin's root: its folder is not part of the path.
  return folder === '.' ? basename(known.file.slice(0, -'/SKILL.md'.length)) : baseOf(folder);
}
