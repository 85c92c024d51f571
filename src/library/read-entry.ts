import { realpath, stat } from 'node:fs/promises';
import { isInside } from '../catalog/contain.ts';
import { MAX_ENTRY_BYTES } from '../catalog/limits.ts';
import { readBounded } from '../catalog/read-bounded.ts';
import { splitFrontmatter } from '../catalog/split-frontmatter.ts';
import { LecternError } from '../core/errors.ts';
import { decodeText } from '../core/text-decoding.ts';
import type { LibraryEntry } from './scope-view.ts';

/**
 * The body of an entry as it is on disk now, frontmatter removed (library
 * contract 6.3.3): an edit is served on the next call without any reindex.
 *
 * @param roots every enrolled root; a link may lead into any of them, and nowhere else
 * @throws LecternError with the codes of library contract 6.3.5
 */
export async function readEntryBody(
  entry: LibraryEntry,
  roots: readonly string[],
): Promise<string> {
  const path = entry.entry.file;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) throw await explainMissing(entry);
  if (![entry.home.home.root, ...roots].some((root) => isInside(root, real))) {
    throw fileMissing(path, 'it is a link that leads out of the enrolled catalogs');
  }
  const reading = await readBounded(real, MAX_ENTRY_BYTES);
  if ('file' in reading) {
    return splitFrontmatter(decodeText(reading.file.bytes).text).body;
  }
  if (reading.refused === 'missing') throw await explainMissing(entry);
  if (reading.refused === 'too large') {
    throw new LecternError('skill_frontmatter_parse_error', `${path}: ${reading.detail}`, {
      code: 'frontmatter_strip_failed',
    });
  }
  throw fileMissing(path, reading.detail);
}

/** Which of file, plugin directory and catalog directory is gone (library contract 6.3.5). */
async function explainMissing(entry: LibraryEntry): Promise<LecternError> {
  const { home } = entry;
  if (!(await isThere(home.home.root))) {
    return new LecternError(
      'catalog_not_found',
      `the directory of catalog "${entry.catalog}" is gone: ${home.home.root}`,
      { next: `lectern catalog update ${entry.catalog}` },
    );
  }
  if (!(await isThere(home.plugin.root))) {
    return new LecternError(
      'plugin_not_found',
      `the directory of plugin "${entry.catalog}/${entry.plugin}" is gone: ${home.plugin.root}`,
      { next: `lectern catalog update ${entry.catalog}` },
    );
  }
  return fileMissing(entry.entry.file, 'it does not exist');
}

function fileMissing(path: string, why: string): LecternError {
  return new LecternError('io', `${path}: ${why}`, {
    code: 'skill_file_missing',
    extras: { path },
  });
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
