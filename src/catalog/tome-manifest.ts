import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SemVer } from 'semver';
import { parse, TomlError } from 'smol-toml';
import { LecternError } from '../core/errors.ts';
import { decodeText } from '../core/text-decoding.ts';
import {
  climbs,
  isInside,
  isPlausiblePath,
  looksAbsolute,
  resolveReal,
  tidyRelative,
} from './contain.ts';

export interface TomeCatalog {
  name: string;
  description: string;
  version: string;
  owner: { name: string; email: string };
  /** In file order; `root` is absolute and canonical. */
  plugins: { name: string; source: string; root: string }[];
}

export interface TomePlugin {
  name: string;
  version: string;
  description: string | null;
  license: string | null;
  author: { name: string | null; email: string | null } | null;
}

type Category = 'manifest_invalid' | 'plugin_manifest_parse_error';

/** One manifest while it is checked: where it is and how its faults are thrown. */
interface Checking {
  file: string;
  category: Category;
}

/** A message quotes values of the file, which may be as long as the file. */
const MESSAGE_CHARS = 1_000;

function refuse(checking: Checking, message: string): never {
  throw new LecternError(checking.category, `${checking.file}: ${message.slice(0, MESSAGE_CHARS)}`);
}

/**
 * Read `tome-catalog.toml` strictly (library contract 2.2): syntax, unknown
 * and missing keys, then version, e-mail, duplicate names, then each source.
 *
 * @param file absolute path, for messages
 * @param root catalog root, absolute and canonical
 * @throws LecternError manifest_invalid naming file and key or value (L-001…L-008)
 */
export function parseTomeCatalog(bytes: Uint8Array, file: string, root: string): TomeCatalog {
  const checking: Checking = { file, category: 'manifest_invalid' };
  const table = parseToml(bytes, checking);
  refuseUnknown(checking, table, ['name', 'description', 'version', 'owner', 'plugins'], '');
  const name = requireText(checking, table, 'name', '');
  const description = requireText(checking, table, 'description', '');
  const version = requireText(checking, table, 'version', '');
  const ownerTable = requireTable(checking, table, 'owner');
  refuseUnknown(checking, ownerTable, ['name', 'email'], 'owner.');
  const owner = {
    name: requireText(checking, ownerTable, 'name', 'owner.'),
    email: requireText(checking, ownerTable, 'email', 'owner.'),
  };
  const declared = readPluginTables(checking, table);
  if (name.trim() === '') refuse(checking, 'name is empty');
  refuseControls(checking, 'name', name);
  if (description.trim() === '') refuse(checking, 'description is empty');

  if (!isSemver(version)) refuse(checking, `version "${version}" is not a semantic version`);
  if (!isEmail(owner.email))
    refuse(checking, `owner.email "${owner.email}" is not an e-mail address`);
  const seen = new Set<string>();
  for (const plugin of declared) {
    if (seen.has(plugin.name)) refuse(checking, `duplicate plugin name "${plugin.name}"`);
    seen.add(plugin.name);
  }
  const plugins = declared.map((plugin, index) => ({
    ...plugin,
    root: resolveSource(checking, plugin.source, `plugins[${index}].source`, root),
  }));
  for (const [index, plugin] of plugins.entries()) {
    if (!isSafeSegment(plugin.name)) {
      refuse(checking, `plugins[${index}].name "${plugin.name}" cannot be the name of a plugin`);
    }
  }
  return { name, description, version, owner, plugins };
}

/**
 * Read `tome-plugin.toml` strictly (library contract 2.3).
 *
 * @throws LecternError plugin_manifest_parse_error naming file and key or value (L-011)
 */
export function parseTomePlugin(bytes: Uint8Array, file: string): TomePlugin {
  const checking: Checking = { file, category: 'plugin_manifest_parse_error' };
  const table = parseToml(bytes, checking);
  refuseUnknown(checking, table, ['name', 'version', 'description', 'license', 'author'], '');
  const name = requireText(checking, table, 'name', '');
  const version = requireText(checking, table, 'version', '');
  const description = optionalText(checking, table, 'description', '');
  const license = optionalText(checking, table, 'license', '');
  const author = readAuthor(checking, table);
  if (name === '') refuse(checking, 'name is empty');
  refuseControls(checking, 'name', name);
  if (!isSafeSegment(name)) refuse(checking, `name "${name}" cannot be the name of a folder`);
  if (!isSemver(version)) refuse(checking, `version "${version}" is not a semantic version`);
  if (license === '') refuse(checking, 'license is empty');
  if (author?.email && !isEmail(author.email)) {
    refuse(checking, `author.email "${author.email}" is not an e-mail address`);
  }
  return { name, version, description, license, author };
}

/** One path component that can be a folder: no `/`, no leading dot (library contract 2.3). */
export function isSafeSegment(name: string): boolean {
  return name !== '' && !/[/\\\u0000-\u001f\u007f]/.test(name) && !name.startsWith('.');
}

function parseToml(bytes: Uint8Array, checking: Checking): Record<string, unknown> {
  const decoded = decodeText(bytes);
  if (decoded.encoding !== 'utf-8' || decoded.damagedLine !== null) {
    refuse(checking, 'the file is not UTF-8');
  }
  try {
    return parse(decoded.text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason] = error.message.split('\n');
    refuse(checking, `not TOML, line ${error.line}: ${reason}`);
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

function refuseUnknown(
  checking: Checking,
  table: Record<string, unknown>,
  known: readonly string[],
  prefix: string,
): void {
  for (const key of Object.keys(table)) {
    if (!known.includes(key)) refuse(checking, `unknown key "${prefix}${key}"`);
  }
}

function optionalText(
  checking: Checking,
  table: Record<string, unknown>,
  key: string,
  prefix: string,
): string | null {
  const value = Object.hasOwn(table, key) ? table[key] : undefined;
  if (value === undefined) return null;
  if (typeof value !== 'string') refuse(checking, `key "${prefix}${key}" must be a string`);
  return value;
}

function requireText(
  checking: Checking,
  table: Record<string, unknown>,
  key: string,
  prefix: string,
): string {
  return (
    optionalText(checking, table, key, prefix) ?? refuse(checking, `missing key "${prefix}${key}"`)
  );
}

function requireTable(
  checking: Checking,
  table: Record<string, unknown>,
  key: string,
): Record<string, unknown> {
  const value = Object.hasOwn(table, key) ? table[key] : undefined;
  if (value === undefined) refuse(checking, `missing key "${key}"`);
  if (!isTable(value)) refuse(checking, `key "${key}" must be a table`);
  return value;
}

function readPluginTables(
  checking: Checking,
  table: Record<string, unknown>,
): { name: string; source: string }[] {
  const value = Object.hasOwn(table, 'plugins') ? table['plugins'] : [];
  if (!Array.isArray(value)) refuse(checking, 'key "plugins" must be an array of tables');
  return value.map((plugin: unknown, index) => {
    const prefix = `plugins[${index}].`;
    if (!isTable(plugin)) refuse(checking, `key "plugins[${index}]" must be a table`);
    refuseUnknown(checking, plugin, ['name', 'source'], prefix);
    return {
      name: requireText(checking, plugin, 'name', prefix),
      source: requireText(checking, plugin, 'source', prefix),
    };
  });
}

function readAuthor(checking: Checking, table: Record<string, unknown>): TomePlugin['author'] {
  if (!Object.hasOwn(table, 'author')) return null;
  const author = requireTable(checking, table, 'author');
  refuseUnknown(checking, author, ['name', 'email'], 'author.');
  return {
    name: optionalText(checking, author, 'name', 'author.'),
    email: optionalText(checking, author, 'email', 'author.'),
  };
}

function refuseControls(checking: Checking, key: string, value: string): void {
  if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) {
    refuse(checking, `${key} ${JSON.stringify(value)} holds a control character`);
  }
}

function isSemver(version: string): boolean {
  // The package also takes "v1.2.3" and "=1.2.3", which the specification does not.
  if (!/^\d/.test(version) || version.trim() !== version) return false;
  try {
    return new SemVer(version).raw === version;
  } catch {
    return false;
  }
}

/** Exactly one `@`, a local part, and a dot inside the domain (library contract 2.2). */
export function isEmail(email: string): boolean {
  const [local, domain, ...rest] = email.split('@');
  if (local === undefined || domain === undefined || rest.length > 0) return false;
  return local !== '' && domain.includes('.') && !domain.startsWith('.') && !domain.endsWith('.');
}

/** What a message shows of a value: the file is there to be looked into. */
const QUOTED_CHARS = 200;

function resolveSource(checking: Checking, source: string, key: string, root: string): string {
  const quoted = `"${source.slice(0, QUOTED_CHARS)}"`;
  if (source.includes('://') || source.startsWith('git@')) {
    refuse(checking, `${key} ${quoted} is a URL; a directory of this catalog is wanted`);
  }
  if (looksAbsolute(source)) refuse(checking, `${key} ${quoted} is absolute`);
  if (climbs(source)) refuse(checking, `${key} ${quoted} has a ".." component`);
  if (!isPlausiblePath(source)) refuse(checking, `${key} ${quoted} is no path that can be read`);
  const path = join(root, tidyRelative(source));
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    refuse(checking, `${key} ${quoted} does not exist`);
  }
  const real = resolveReal(path);
  if (real === undefined) refuse(checking, `${key} ${quoted} cannot be resolved`);
  if (!isInside(root, real)) refuse(checking, `${key} ${quoted} leads out of the catalog`);
  if (!statSync(real).isDirectory()) refuse(checking, `${key} ${quoted} is not a directory`);
  return real;
}
