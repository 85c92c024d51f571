/** What names an entry. */
export interface EntryAddress {
  catalog: string;
  plugin: string;
  name: string;
  kind: string;
}

/**
 * An entry's full id, in a form that `get` takes back: `<catalog>:<plugin>:<name>`,
 * with slashes where a part itself holds a colon or the name a slash.
 */
export function entryId({ catalog, plugin, name }: EntryAddress): string {
  const parts = [catalog, plugin, name];
  return parts.join(parts.some((part) => /[:/]/.test(part)) ? '/' : ':');
}

/** A word as a POSIX shell takes it: quoted only where it must be. */
export function shellWord(word: string): string {
  return /^[\w.@%+=:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The command that loads an entry. Catalog names are other people's text: quoted for a shell. */
export function getCommand(entry: EntryAddress): string {
  // A command is found without saying so, unless a skill of that name is there too.
  const kind = entry.kind === 'skill' ? '' : ` --kind ${entry.kind}`;
  return `lectern get ${shellWord(entryId(entry))}${kind}`;
}
