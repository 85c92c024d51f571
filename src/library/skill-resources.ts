import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../catalog/contain.ts';
import { readBounded } from '../catalog/read-bounded.ts';
import { compareText, type LibraryEntry, type ScopeView } from './scope-view.ts';

/**
 * Enabled skills as the resources of the MCP Skills extension
 * (`io.modelcontextprotocol/skills`): `skill://library/<catalog>/<plugin>/<name>/…`.
 * Files are listed and read when they are asked for, never before.
 */
export interface SkillItem {
  /** URI of its SKILL.md, canonical. */
  uri: string;
  /** The name as the extension wants it: lower case, digits, single hyphens. */
  name: string;
  description: string;
  entry: LibraryEntry;
}

export interface SkillChild {
  uri: string;
  name: string;
  isDirectory: boolean;
}

const ROOT = 'skill://library';
const MANIFEST = 'SKILL.md';

/** Limits of the extension for a name and a description. */
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1024;

/** A file that a host would put into a model's context; larger ones are there by their path. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

const lists = new WeakMap<ScopeView, SkillItem[]>();

/** Every enabled skill, sorted by URI; made once a view. */
export function listSkillItems(view: ScopeView): SkillItem[] {
  let items = lists.get(view);
  if (items !== undefined) return items;
  items = [];
  const taken = new Set<string>();
  for (const entry of view.enabled) {
    if (entry.kind !== 'skill' || basename(entry.entry.file) !== MANIFEST) continue;
    const home = `${ROOT}/${encodeURIComponent(entry.catalog)}/${encodeURIComponent(entry.plugin)}`;
    const name = firstFree(toSkillName(entry.name), (it) => taken.has(`${home}/${it}`));
    taken.add(`${home}/${name}`);
    const description = [...entry.entry.description].slice(0, MAX_DESCRIPTION_CHARS).join('');
    items.push({
      uri: new URL(`${home}/${name}/${MANIFEST}`).href,
      name,
      description: description === '' ? name : description,
      entry,
    });
  }
  items.sort((a, b) => compareText(a.uri, b.uri));
  lists.set(view, items);
  return items;
}

/** The skill whose SKILL.md, or any file or directory of, a URI names; with the path below its folder. */
export function findSkillItem(
  view: ScopeView,
  uri: string,
): { item: SkillItem; path: string } | undefined {
  if (!URL.canParse(uri)) return undefined;
  const canonical = new URL(uri).href.replace(/\/$/, '');
  for (const item of listSkillItems(view)) {
    const folder = item.uri.slice(0, -`/${MANIFEST}`.length);
    if (canonical === folder) return { item, path: '' };
    if (!canonical.startsWith(`${folder}/`)) continue;
    const path = decodePath(canonical.slice(folder.length + 1));
    return path === undefined ? undefined : { item, path };
  }
  return undefined;
}

/** The bytes of one file of a skill; undefined where there is none that may be read. */
export async function readSkillFile(item: SkillItem, path: string): Promise<Buffer | undefined> {
  const file = await inFolder(item, path);
  if (file === undefined) return undefined;
  const reading = await readBounded(file, MAX_FILE_BYTES);
  return 'file' in reading ? reading.file.bytes : undefined;
}

/** Files and folders directly in a folder of a skill, sorted by name, links left out. */
export async function listSkillFolder(
  item: SkillItem,
  path: string,
): Promise<SkillChild[] | undefined> {
  const directory = await inFolder(item, path);
  if (directory === undefined) return undefined;
  const children = await readdir(directory, { withFileTypes: true }).catch(() => undefined);
  if (children === undefined) return undefined;
  const folder = item.uri.slice(0, -`/${MANIFEST}`.length);
  const below = path === '' ? '' : `${path.split('/').map(encodeURIComponent).join('/')}/`;
  return children
    .filter((child) => child.isFile() || (child.isDirectory() && child.name !== '.git'))
    .sort((a, b) => compareText(a.name, b.name))
    .map((child) => ({
      uri: new URL(`${folder}/${below}${encodeURIComponent(child.name)}`).href,
      name: child.name,
      isDirectory: child.isDirectory(),
    }));
}

/** The real path behind a relative one, if no link leads there. */
async function inFolder(item: SkillItem, path: string): Promise<string | undefined> {
  const folder = await realpath(dirname(item.entry.entry.file)).catch(() => undefined);
  if (folder === undefined) return undefined;
  const wanted = join(folder, path);
  const found = await lstat(wanted).catch(() => undefined);
  if (found === undefined || found.isSymbolicLink()) return undefined;
  const real = await realpath(wanted).catch(() => undefined);
  return real === wanted && isInside(folder, real) ? real : undefined;
}

/** Undefined for a path that climbs, or holds what no path component may. */
function decodePath(encoded: string): string | undefined {
  const parts: string[] = [];
  for (const part of encoded.split('/')) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(part);
    } catch {
      return undefined;
    }
    if (decoded === '' || decoded === '.' || decoded === '..' || /[/\\\0]/.test(decoded)) {
      return undefined;
    }
    parts.push(decoded);
  }
  return parts.join('/');
}

function toSkillName(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, MAX_NAME_CHARS)
    .replace(/-$/, '');
  return slug === '' ? 'skill' : slug;
}

function firstFree(wanted: string, isTaken: (name: string) => boolean): string {
  let name = wanted;
  for (let number = 2; isTaken(name); number++) {
    const suffix = `-${number}`;
    name = `${wanted.slice(0, MAX_NAME_CHARS - suffix.length)}${suffix}`;
  }
  return name;
}
