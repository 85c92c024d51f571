import { createHash } from 'node:crypto';
import type { EntryReading } from '../../catalog/types.ts';
import { chunk, entryText } from '../../search/chunks.ts';
import { BODY_CHARS_INDEXED, ftsText } from '../../search/tokenise.ts';
import { packWords, readWords } from '../../search/words.ts';
import type { Database } from '../database.ts';
import { type EntryRow, type PluginRow, toEntry, toPlugin } from '../index-rows.ts';
import { emptyChange, type IndexChange } from '../index-view.ts';

/** Words, terms and chunks of entries whose text is in the index, made anew from the stored bodies. */
export function rewriteTexts(db: Database, ids: readonly number[]): IndexChange {
  const change = emptyChange();
  db.transact(() => {
    for (const id of ids) {
      const row = db.get<EntryRow>('SELECT * FROM entries WHERE id = ?', id);
      const stored = db.get<{ body: string }>('SELECT body FROM bodies WHERE entry_id = ?', id);
      if (row === undefined || stored === undefined) continue;
      const text = hashText(entryText(row.name, row.description, row.when_to_use));
      db.run('UPDATE entries SET text_hash = ? WHERE id = ?', text, id);
      const words = { name: row.name, description: row.description, whenToUse: row.when_to_use };
      putEntryText(db, id, words, stored.body, true);
      const plugin = db.get<PluginRow>('SELECT * FROM plugins WHERE id = ?', row.plugin_id)!;
      change.entries.push(toEntry({ ...row, text_hash: text }, toPlugin(plugin)));
    }
  });
  return change;
}

/** Write what searches find of an entry: its body with its terms, its words, its chunks. */
export function putEntryText(
  db: Database,
  id: number,
  entry: Pick<EntryReading, 'name' | 'description' | 'whenToUse'>,
  body: string,
  isReplaced: boolean,
): void {
  db.run(
    'INSERT OR REPLACE INTO bodies (entry_id, body, terms) VALUES (?, ?, ?)',
    id,
    body,
    packWords(readWords(entry, body)),
  );
  if (isReplaced) {
    db.run('DELETE FROM entries_fts WHERE rowid = ?', id);
    db.run('DELETE FROM chunks WHERE entry_id = ?', id);
  }
  db.run(
    'INSERT INTO entries_fts (rowid, name, description, when_to_use, body) VALUES (?, ?, ?, ?, ?)',
    id,
    ftsText(entry.name),
    ftsText(entry.description),
    ftsText(entry.whenToUse ?? ''),
    ftsText(body.slice(0, BODY_CHARS_INDEXED)),
  );
  chunk(entry.name, body).forEach((text, position) => {
    db.run(
      'INSERT INTO chunks (entry_id, position, text_hash, text) VALUES (?, ?, ?, ?)',
      id,
      position,
      hashText(text),
      text,
    );
  });
}

/** Names a text in the table of vectors, whatever entry or chunk has it. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
