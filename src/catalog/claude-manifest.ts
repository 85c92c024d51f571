import { stripHidden } from './hidden-characters.ts';
import { isObject, type JsonObject, member, objectMember, textMember } from './json-manifest.ts';
import { scrubUrl } from './source.ts';

export interface Author {
  name: string | null;
  email: string | null;
}

/** Where the entries of a plugin lie beyond its standard folders. Paths as written. */
export interface ComponentPaths {
  skills: string[];
  commands: string[];
  agents: string[];
}

/** What `.claude-plugin/plugin.json`, or a marketplace's entry, says of a plugin. */
export interface ClaudePlugin {
  name: string | null;
  version: string | null;
  description: string | null;
  license: string | null;
  author: Author | null;
  paths: ComponentPaths;
  /** Servers declared in the manifest itself. */
  mcpServers: number;
  declaresHooks: boolean;
}

export interface MarketplacePlugin extends ClaudePlugin {
  name: string;
  /** Relative directories to try in order; null for a plugin that lives elsewhere. */
  directories: string[] | null;
  /** The source in one line, without credentials. */
  sourceText: string;
  /** The entry's own `skills` list is the whole of the plugin's skills. */
  limitsSkills: boolean;
}

export interface Marketplace {
  name: string | null;
  description: string | null;
  version: string | null;
  owner: { name: string; email: string | null } | null;
  plugins: MarketplacePlugin[];
  /** Entries that cannot be used, in words. */
  faults: string[];
}

/** A public marketplace lists some 300 plugins; this bounds a made-up one. */
const MAX_PLUGINS = 5_000;

/** Read what Claude Code reads of a plugin's manifest; wrong types count as absent. */
export function readClaudePlugin(object: JsonObject): ClaudePlugin {
  const servers = objectMember(object, 'mcpServers');
  return {
    name: shownText(object, 'name'),
    version: shownText(object, 'version'),
    description: shownText(object, 'description'),
    license: shownText(object, 'license'),
    author: readAuthor(member(object, 'author')),
    paths: {
      skills: pathList(member(object, 'skills')),
      commands: pathList(member(object, 'commands')),
      agents: pathList(member(object, 'agents')),
    },
    mcpServers: servers === null ? 0 : Object.keys(servers).length,
    declaresHooks: member(object, 'hooks') !== undefined,
  };
}

/** Read `.claude-plugin/marketplace.json`. Never throws: an entry that makes no sense is a fault. */
export function readMarketplace(object: JsonObject): Marketplace {
  const metadata = objectMember(object, 'metadata');
  const pluginRoot = textMember(metadata, 'pluginRoot') ?? '.';
  const declared = member(object, 'plugins');
  const faults: string[] = [];
  if (!Array.isArray(declared)) faults.push('it has no list "plugins"');
  const listed: unknown[] = Array.isArray(declared) ? declared : [];
  if (listed.length > MAX_PLUGINS) {
    faults.push(`it lists ${listed.length} plugins; the first ${MAX_PLUGINS} are read`);
  }
  const plugins: MarketplacePlugin[] = [];
  for (const [index, item] of listed.slice(0, MAX_PLUGINS).entries()) {
    const plugin = isObject(item) ? readListed(item, pluginRoot) : null;
    if (plugin === null) faults.push(`plugins[${index}] has no usable name and source`);
    else plugins.push(plugin);
  }
  const owner = readAuthor(member(object, 'owner'));
  return {
    name: shownText(object, 'name'),
    description: shownText(object, 'description') ?? shownText(metadata, 'description'),
    version: shownText(object, 'version') ?? shownText(metadata, 'version'),
    owner: owner?.name ? { name: owner.name, email: owner.email } : null,
    plugins,
    faults,
  };
}

function readListed(item: JsonObject, pluginRoot: string): MarketplacePlugin | null {
  const plugin = readClaudePlugin(item);
  const source = readSource(member(item, 'source'), pluginRoot);
  const name = plugin.name ?? source?.directories?.at(-1)?.split('/').at(-1) ?? null;
  if (source === null || name === null || name === '') return null;
  return {
    ...plugin,
    ...source,
    name,
    limitsSkills: Array.isArray(member(item, 'skills')),
  };
}

type Source = Pick<MarketplacePlugin, 'directories' | 'sourceText'>;

function readSource(source: unknown, pluginRoot: string): Source | null {
  if (typeof source === 'string') {
    const sourceText = oneLine(scrubUrl(source));
    const isRemote = source.includes('://') || /^[\w.-]+@[\w.-]+:/.test(source);
    return { directories: isRemote ? null : localDirectories(source, pluginRoot), sourceText };
  }
  if (!isObject(source)) return null;
  const kind = textMember(source, 'source') ?? 'unknown';
  const path = textMember(source, 'path');
  if (/^(?:local|directory|path)$/.test(kind) && path !== null) {
    return { directories: localDirectories(path, pluginRoot), sourceText: oneLine(path) };
  }
  const where =
    textMember(source, 'url') ?? textMember(source, 'repo') ?? textMember(source, 'package') ?? '';
  const ref = textMember(source, 'ref') ?? textMember(source, 'version');
  const parts = [
    `${kind}:${scrubUrl(where)}`,
    path === null ? '' : `/${path.replace(/^\.?\//, '')}`,
    ref === null ? '' : `@${ref}`,
  ];
  return { directories: null, sourceText: oneLine(parts.join('')) };
}

/** `pluginRoot` is a prefix for bare sources; some manifests repeat it in the source itself. */
function localDirectories(source: string, pluginRoot: string): string[] {
  return pluginRoot === '.' || pluginRoot === './' ? [source] : [`${pluginRoot}/${source}`, source];
}

function pathList(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const items = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return items.flatMap((item) => {
    if (typeof item === 'string') return [item];
    const source = isObject(item) ? textMember(item, 'source') : null;
    return source === null ? [] : [source];
  });
}

function readAuthor(value: unknown): Author | null {
  if (typeof value === 'string') {
    const name = oneLine(value);
    return name === '' ? null : { name, email: null };
  }
  if (!isObject(value)) return null;
  const author = { name: shownText(value, 'name'), email: shownText(value, 'email') };
  return author.name === null && author.email === null ? null : author;
}

function shownText(object: JsonObject | null, key: string): string | null {
  const text = textMember(object, key);
  return text === null ? null : stripHidden(text).text.trim() || null;
}

function oneLine(text: string): string {
  return stripHidden(text).text.replace(/\s+/g, ' ').trim().slice(0, 500);
}
