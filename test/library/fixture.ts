// biome-ignore-all lint/suspicious/noExplicitAny: answers are looked at by their JSON shape
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tokens under test are written so
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readCatalog } from '../../src/catalog/read-catalog.ts';
import type { CatalogReading } from '../../src/catalog/types.ts';
import { libraryAdminHandlers, libraryAdminMethods } from '../../src/library/admin-handlers.ts';
import type { GitPort } from '../../src/library/git-port.ts';
import { createLibrary, type Library } from '../../src/library/library.ts';
import type { LocatedSession } from '../../src/library/parts.ts';
import { type StatePaths, statePaths } from '../../src/protocol/link/state-paths.ts';
import type {
  ModelHealth,
  SearchAnswer,
  SearchEngine,
  SearchRequest,
} from '../../src/search/types.ts';
import { emptyChange, type IndexedEntry, LiveIndexView } from '../../src/store/index-view.ts';
import type { Indexer, IndexRoot, RootReading } from '../../src/store/indexer-port.ts';
import { openStateStore } from '../../src/store/state/open-state-store.ts';
import type { StateStore } from '../../src/store/state/state-store.ts';

/** A directory of its own for one test, canonical, removed afterwards. */
export function makeDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-library-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Write files, by path below `root`. */
export function writeTree(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** A Tome catalog: plugins by name, each with its files. */
export function writeCatalog(
  root: string,
  name: string,
  plugins: Readonly<Record<string, Readonly<Record<string, string | Buffer>>>>,
): void {
  const rows = Object.keys(plugins).map(
    (plugin) => `[[plugins]]\nname = "${plugin}"\nsource = "plugins/${plugin}"\n`,
  );
  writeTree(root, {
    'tome-catalog.toml': [
      `name = "${name}"`,
      `description = "The catalog ${name}"`,
      'version = "1.0.0"',
      '[owner]\nname = "Owner"\nemail = "owner@example.org"',
      ...rows,
    ].join('\n'),
  });
  for (const [plugin, files] of Object.entries(plugins)) {
    writeTree(join(root, 'plugins', plugin), {
      'tome-plugin.toml': `name = "${plugin}"\nversion = "1.2.0"\ndescription = "About ${plugin}"\n`,
      ...files,
    });
  }
}

/** The text of an entry file. */
export function entryText(fields: Readonly<Record<string, unknown>>, body = 'Body.\n'): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n${body}`;
}

/**
 * Indexer without thread, database or watcher: reads roots with the product's
 * own reader when it is told to.
 */
export class MemoryIndexer implements Indexer {
  readonly view = new LiveIndexView();
  isCaughtUp = true;
  /** Files that are quarantined. */
  readonly leftOut: string[] = [];
  readonly polled: { root: string; reason: string; remedy: string }[] = [];
  readonly roots = new Map<string, IndexRoot>();
  readonly #ids = new Map<string, number>();
  readonly #listeners = new Set<(clock: number) => void>();
  now = 1_700_000_000_000;

  async addRoot(root: IndexRoot): Promise<RootReading> {
    const reading = await readCatalog(root.root, { kind: root.kind });
    this.roots.set(root.root, root);
    return this.#take(root, reading);
  }

  async removeRoot(root: string): Promise<void> {
    this.roots.delete(root);
    const source = this.view.sourceByRoot(root);
    if (source !== undefined) this.#apply({ ...emptyChange(), removedSources: [source.id] });
  }

  async leaseRoot(root: IndexRoot): Promise<() => void> {
    await this.addRoot(root);
    return () => void this.removeRoot(root.root);
  }

  async reindex(roots: readonly string[] | null): Promise<RootReading[]> {
    const readings: RootReading[] = [];
    for (const root of this.roots.values()) {
      if (roots !== null && !roots.includes(root.root)) continue;
      const lenient = await readCatalog(root.root, { kind: root.kind, lenient: true });
      readings.push(this.#take(root, lenient));
    }
    return readings;
  }

  async release(file: string): Promise<boolean> {
    const at = this.leftOut.indexOf(file);
    if (at >= 0) this.leftOut.splice(at, 1);
    return at >= 0;
  }

  async caughtUp(): Promise<boolean> {
    return this.isCaughtUp;
  }

  onChange(listener: (clock: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  health() {
    return {
      state: 'ready' as const,
      detail: null,
      progress: { stage: 'idle', done: 0, total: 0 },
      sizeBytes: 0,
      integrityOk: true,
      schemaVersion: 1,
      polled: this.polled,
      quarantined: this.leftOut.map((file) => ({ file, reason: 'it ended lectern twice' })),
      reindexedAt: null,
    };
  }

  #id(key: string): number {
    const known = this.#ids.get(key) ?? this.#ids.size + 1;
    this.#ids.set(key, known);
    return known;
  }

  #take(root: IndexRoot, reading: CatalogReading): RootReading {
    const sourceId = this.#id(root.root);
    const change = emptyChange();
    if (this.view.sources.has(sourceId)) {
      this.#apply({ ...emptyChange(), removedSources: [sourceId] });
    }
    change.sources.push({
      id: sourceId,
      root: root.root,
      kind: root.kind,
      format: reading.format,
      name: reading.name,
      description: reading.description,
      version: reading.version,
      owner: reading.owner,
      external: reading.external,
      found: reading.found,
      loaded: reading.loaded,
      problems: reading.problems,
      readAt: this.now,
    });
    for (const plugin of reading.plugins) {
      const pluginId = this.#id(`${root.root}\0${plugin.name}`);
      const { entries, unusable, ...about } = plugin;
      change.plugins.push({
        ...about,
        id: pluginId,
        sourceId,
        unusable: unusable ?? null,
        indexedAt: this.now,
      });
      for (const entry of entries) {
        const text = [entry.name, entry.description, entry.whenToUse].join('\n');
        change.entries.push({
          id: this.#id([root.root, plugin.name, entry.kind, entry.name].join('\0')),
          pluginId,
          sourceId,
          plugin: plugin.name,
          pluginVersion: plugin.version,
          kind: entry.kind,
          name: entry.name,
          description: entry.description,
          whenToUse: entry.whenToUse,
          arguments: entry.arguments,
          argumentHint: entry.argumentHint,
          promptName: entry.promptName,
          searchable: entry.searchable,
          userInvocable: entry.userInvocable,
          takesArguments: entry.body.includes('$ARGUMENTS'),
          path: entry.path,
          file: entry.file,
          fileHash: entry.fileHash,
          textHash: createHash('sha256').update(text).digest('hex'),
          bodyChars: entry.body.length,
          problems: entry.problems,
          indexedAt: this.now++,
        });
      }
    }
    this.#apply(change);
    return {
      sourceId,
      format: reading.format,
      name: reading.name,
      plugins: reading.plugins.length,
      entries: change.entries.length,
      added: change.entries.length,
      modified: 0,
      removed: 0,
      unchanged: 0,
      problems: reading.problems,
    };
  }

  #apply(change: ReturnType<typeof emptyChange>): void {
    this.view.apply(change);
    for (const listener of this.#listeners) listener(this.view.clock);
  }
}

/** Ranks by the share of query words that name and description hold. */
export class WordSearch implements SearchEngine {
  prepare(): void {}

  readonly requests: SearchRequest[] = [];
  readonly #indexer: MemoryIndexer;
  answer: Partial<SearchAnswer> = {};
  /** Entries that are given another score. */
  readonly scores = new Map<string, number>();

  constructor(indexer: MemoryIndexer) {
    this.#indexer = indexer;
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    this.requests.push(request);
    const words = request.query.toLowerCase().split(/\s+/);
    const byText = new Map<string, IndexedEntry[]>();
    for (const id of request.allowed) {
      const entry = this.#indexer.view.entries.get(id)!;
      byText.set(entry.fileHash, [...(byText.get(entry.fileHash) ?? []), entry]);
    }
    const hits = [...byText.values()].map(([entry, ...alsoIn]) => {
      const text = `${entry!.name} ${entry!.description}`.toLowerCase();
      const share = words.filter((word) => text.includes(word)).length / words.length;
      return { entry: entry!, alsoIn, score: this.scores.get(entry!.name) ?? share };
    });
    hits.sort((a, b) => b.score - a.score || (a.entry.name < b.entry.name ? -1 : 1));
    return {
      scoring: request.rerank ? 'reranked' : 'embedding-similarity',
      hits: hits.slice(0, request.topK),
      relevance: 'strong',
      degraded: null,
      ...this.answer,
    };
  }

  model(): ModelHealth {
    return { name: 'test-model', version: '1', state: 'ok', detail: null };
  }
}

/** A git that is never called, unless a test brings its own. */
const NO_GIT: GitPort = {
  clone: () => Promise.reject(new Error('no git in this test')),
  update: () => Promise.reject(new Error('no git in this test')),
  head: async () => ({ branch: null, commit: null }),
  commitTime: async () => null,
};

export interface TestLibrary {
  library: Library;
  state: StateStore;
  indexer: MemoryIndexer;
  search: WordSearch;
  paths: StatePaths;
  home: string;
  /** Where the session works; an empty directory below home. */
  cwd: string;
  session: LocatedSession;
  /** Ask an admin method, as a command would: parameters and result go through its schema. */
  ask(method: string, params?: object, session?: Partial<LocatedSession>): Promise<any>;
}

/** A library over a home of its own. */
export function startLibrary(options: { git?: GitPort; now?: () => number } = {}): TestLibrary {
  const home = makeDirectory();
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  const paths = statePaths(join(home, '.lectern'));
  mkdirSync(paths.root, { recursive: true });
  const state = openStateStore({ path: paths.stateDb, backups: paths.backups });
  const indexer = new MemoryIndexer();
  const search = new WordSearch(indexer);
  const library = createLibrary({
    state,
    indexer,
    search,
    paths,
    git: options.git ?? NO_GIT,
    log: { info: () => {}, warn: () => {} },
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  onTestFinished(async () => {
    await library.close();
    state.close();
  });
  const session: LocatedSession = {
    workspaceFlag: null,
    harness: null,
    cwd,
    env: { HOME: home },
  };
  const handlers = libraryAdminHandlers(library);
  return {
    library,
    state,
    indexer,
    search,
    paths,
    home,
    cwd,
    session,
    async ask(method, params = {}, changes = {}) {
      const schema = libraryAdminMethods.find((it) => it.method === method)!;
      const result = await handlers[method]!(schema.params.parse(params), {
        session: { ...session, ...changes },
        progress: () => {},
      });
      const checked = schema.result.parse(result);
      // A member that the schema does not know would be lost on the way to the command.
      if (JSON.stringify(checked) !== JSON.stringify(result)) {
        throw new Error(`${method}: ${JSON.stringify(result)} is not as its schema has it`);
      }
      return checked;
    },
  };
}

/** The catalog that most tests use: two skills, a command and an agent. */
export const PRUNING = {
  'skills/graft-plan/SKILL.md': entryText(
    {
      name: 'graft-plan',
      description: 'Plan a graft on a tree.',
      when_to_use: 'Before any grafting work',
    },
    '# Graft plan\nUse ${TOME_SKILL_NAME}.\n',
  ),
  'skills/graft-plan/references/dates.md': 'March\n',
  'skills/graft-audit/SKILL.md': entryText({
    name: 'graft-audit',
    description: 'Audit old grafts.',
  }),
  'commands/prune-tree.md': entryText(
    { name: 'prune-tree', description: 'Prune one tree safely.' },
    'Prune $ARGUMENTS.\n',
  ),
  'agents/gardener.md': entryText({ name: 'gardener', description: 'Looks after the orchard.' }),
} as const;

/** Write the orchard catalog below home, enrol it in place and enable it. */
export async function enrolOrchard(
  lectern: TestLibrary,
  plugins: Parameters<typeof writeCatalog>[2] = { pruning: PRUNING },
  options: { name?: string; enable?: boolean } = {},
): Promise<string> {
  const name = options.name ?? 'orchard';
  const root = join(lectern.home, 'catalogs', name);
  writeCatalog(root, name, plugins);
  await lectern.ask('catalog.add', { source: root, enable: options.enable ?? true });
  return root;
}
