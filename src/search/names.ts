/** Entries by what they are called and by what they say, kept with the index. */
export interface NameIndex {
  set(id: number, entry: { name: string; plugin: string; fileHash: string }): void;
  delete(id: number): void;
  /** Entries whose name, or `plugin:name`, is the query but for case and separators. */
  find(query: string): ReadonlySet<number>;
  /** Entries of one text, in the order they came. */
  withText(fileHash: string): number[];
}

const NONE: ReadonlySet<number> = new Set();

/** A longer query is a task, not a name. */
const MAX_NAME_CHARS = 200;

export function createNameIndex(): NameIndex {
  const keysById = new Map<number, { names: string[]; text: string }>();
  const byName = new Map<string, Set<number>>();
  const byText = new Map<string, Set<number>>();

  const remove = (id: number): void => {
    const keys = keysById.get(id);
    if (keys === undefined) return;
    keysById.delete(id);
    for (const name of keys.names) dropFrom(byName, name, id);
    dropFrom(byText, keys.text, id);
  };

  return {
    set(id, entry) {
      remove(id);
      const names = [foldName(entry.name), foldName(`${entry.plugin}:${entry.name}`)];
      keysById.set(id, { names, text: entry.fileHash });
      for (const name of names) addTo(byName, name, id);
      addTo(byText, entry.fileHash, id);
    },
    delete: remove,
    find: (query) => (query.length > MAX_NAME_CHARS ? NONE : (byName.get(foldName(query)) ?? NONE)),
    withText: (fileHash) => [...(byText.get(fileHash) ?? NONE)],
  };
}

/** A name without case and separators: `Code-Review`, `code review` and `/code_review` are one. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\-_/:.]+/g, ' ')
    .trim();
}

function addTo(map: Map<string, Set<number>>, key: string, id: number): void {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, new Set([id]));
  else ids.add(id);
}

function dropFrom(map: Map<string, Set<number>>, key: string, id: number): void {
  const ids = map.get(key);
  ids?.delete(id);
  if (ids?.size === 0) map.delete(key);
}
