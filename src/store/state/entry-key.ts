/** What names an entry within its catalog, whatever is decided or counted of it. */
export interface EntryKey {
  plugin: string;
  kind: string;
  name: string;
}
