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

/** The command that loads an entry. Catalog names are other people's text: quoted for a shell. */
export function getCommand(entry: EntryAddress): string {
  const id = entryId(entry);
  const word = /^[\w.@%+=:,/-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`;
  // A command is found without saying so, unless a skill of that name is there too.
  return `lectern get ${word}${entry.kind === 'skill' ? '' : ` --kind ${entry.kind}`}`;
}
