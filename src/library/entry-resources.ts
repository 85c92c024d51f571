import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createPacer } from '../catalog/pace.ts';
import { readBounded } from '../catalog/read-bounded.ts';
import { LecternError } from '../core/errors.ts';
import { compareText } from './scope-view.ts';

/** Library contract 6.3.3. */
const MAX_BODY_BYTES = 65_536;
const MAX_BODIES_BYTES = 1_048_576;

/** Library contract 6.3.4. */
const PATHS_PER_LIST = 5;

/**
 * Bounds of one listing: a skill with more files is generated or hostile, and
 * a longer list would not fit an agent's context anyway.
 */
const MAX_FILES = 10_000;
const MAX_DEPTH = 32;

/** A clone's own bookkeeping, which a skill at the root of a repository would list. */
const SKIPPED_FOLDER = '.git';

/**
 * Every file below a skill's directory but the entry file, hidden ones too,
 * links skipped; absolute, sorted by path (library contract 6.3.3).
 *
 * @returns `isCut` when there were more than are listed
 */
export async function listResources(
  entryFile: string,
): Promise<{ paths: string[]; isCut: boolean }> {
  const paths: string[] = [];
  const pacer = createPacer();
  let isCut = false;
  const walk = async (directory: string, depth: number): Promise<void> => {
    let items: Dirent[];
    try {
      items = await readdir(directory, { withFileTypes: true });
    } catch {
      // A directory that cannot be listed has nothing an agent could read.
      return;
    }
    for (const item of items) {
      if (paths.length >= MAX_FILES) {
        isCut = true;
        return;
      }
      const path = join(directory, item.name);
      if (item.isFile()) {
        if (path !== entryFile) paths.push(path);
      } else if (item.isDirectory() && item.name !== SKIPPED_FOLDER) {
        if (depth < MAX_DEPTH) await walk(path, depth + 1);
        else isCut = true;
      }
      await pacer.breathe();
    }
  };
  await walk(dirname(entryFile), 0);
  return { paths: paths.sort(compareText), isCut };
}

/**
 * The text of small resources, in list order: over 65,536 bytes, not UTF-8 or
 * unreadable ones are skipped, and so is one that would push the total over
 * 1 MiB (library contract 6.3.3).
 */
export async function readResourceBodies(
  paths: readonly string[],
): Promise<{ path: string; content: string }[]> {
  const bodies: { path: string; content: string }[] = [];
  let total = 0;
  for (const path of paths) {
    // Nothing fits any more: opening ten thousand files to find that out helps nobody.
    if (total >= MAX_BODIES_BYTES) break;
    const reading = await readBounded(path, MAX_BODY_BYTES);
    if (!('file' in reading) || total + reading.file.bytes.length > MAX_BODIES_BYTES) continue;
    const content = decodeUtf8(reading.file.bytes);
    if (content === undefined) continue;
    total += reading.file.bytes.length;
    bodies.push({ path, content });
  }
  return bodies;
}

export interface ResourceGroups {
  files: string[];
  directories: Record<string, string[]>;
}

/**
 * What lies directly in a skill's directory and in its immediate directories,
 * five paths a list and `and N more` (library contract 6.3.4).
 *
 * @throws LecternError io, `resource_enum_failed`
 */
export async function groupResources(entryFile: string): Promise<ResourceGroups> {
  const directory = dirname(entryFile);
  const items = await listDirectory(directory);
  const directories = new Map<string, string[]>();
  for (const item of items.filter((it) => it.isDirectory() && it.name !== SKIPPED_FOLDER)) {
    const inner = await listDirectory(join(directory, item.name));
    directories.set(item.name, shorten(filesOf(inner, join(directory, item.name))));
  }
  return {
    files: shorten(filesOf(items, directory).filter((path) => path !== entryFile)),
    // fromEntries keeps keys such as `__proto__` plain members.
    directories: Object.fromEntries(directories),
  };
}

async function listDirectory(directory: string): Promise<Dirent[]> {
  try {
    const items = await readdir(directory, { withFileTypes: true });
    return items.sort((a, b) => compareText(a.name, b.name));
  } catch (cause) {
    throw new LecternError(
      'io',
      `cannot list ${directory}: ${(cause as NodeJS.ErrnoException).code}`,
      {
        code: 'resource_enum_failed',
        extras: { path: directory },
        cause,
      },
    );
  }
}

function filesOf(items: readonly Dirent[], directory: string): string[] {
  return items.filter((item) => item.isFile()).map((item) => join(directory, item.name));
}

function shorten(paths: string[]): string[] {
  const more = paths.length - PATHS_PER_LIST;
  return more > 0 ? [...paths.slice(0, PATHS_PER_LIST), `and ${more} more`] : paths;
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
