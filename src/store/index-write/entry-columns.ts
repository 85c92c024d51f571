import type { EntryReading } from '../../catalog/types.ts';
import { entryText } from '../../search/chunks.ts';
import type { EntryRow } from '../index-rows.ts';
import { hashText } from './entry-text.ts';

/** What a reading says of an entry, as its row holds it; its stamp and the time of indexing come beside. */
export type EntryColumns = Omit<EntryRow, 'id' | 'mtime_ms' | 'size' | 'indexed_at'>;

/** @param body undefined when the text is that of `existing` */
export function toColumns(
  pluginId: number,
  entry: EntryReading,
  existing: EntryRow | undefined,
  body: string | undefined,
): EntryColumns {
  return {
    plugin_id: pluginId,
    kind: entry.kind,
    name: entry.name,
    declared_name: entry.declaredName,
    description: entry.description,
    when_to_use: entry.whenToUse,
    arguments: JSON.stringify(entry.arguments),
    argument_hint: entry.argumentHint,
    prompt_name: entry.promptName,
    searchable: entry.searchable ? 1 : 0,
    user_invocable: entry.userInvocable ? 1 : 0,
    takes_arguments:
      body === undefined ? existing!.takes_arguments : body.includes('$ARGUMENTS') ? 1 : 0,
    path: entry.path,
    file: entry.file,
    file_hash: entry.fileHash,
    text_hash: hashText(entryText(entry.name, entry.description, entry.whenToUse)),
    body_chars: body === undefined ? existing!.body_chars : body.length,
    problems: JSON.stringify(entry.problems),
  };
}
