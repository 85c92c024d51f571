import { closeSync, existsSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { VERSION } from '../core/version.ts';
import { type Database, databaseFault, type SqlValue } from './database.ts';
import { backUp, openForReading, openForWriting, schemaVersion } from './open-database.ts';
import { STATE_MIGRATIONS } from './state-schema.ts';

/**
 * A burst of changes is copied once, as the state stood before its first one.
 * Ten minutes: longer than any setup session, so that the few copies kept reach
 * back to before it and not to a moment in its middle.
 */
const BACKUP_EVERY_MS = 10 * 60_000;

/** The workspace that always exists and cannot be created, renamed or removed. */
export const GLOBAL_WORKSPACE = 'global';

export interface WorkspaceRow {
  id: number;
  name: string;
  /** Unix ms. */
  createdAt: number;
  lastUsedAt: number | null;
}

export type EnrolmentKind = 'directory' | 'git';

/** One catalog of one workspace. */
export interface EnrolmentRow {
  id: number;
  workspaceId: number;
  name: string;
  /** `directory` is read in place and never written; `git` is a clone that lectern made. */
  kind: EnrolmentKind;
  /** Without credentials. */
  url: string;
  ref: string;
  /** True when the person chose the ref. */
  refGiven: boolean;
  /** Absolute, canonical. */
  root: string;
  addedAt: number;
}

export interface EnabledPluginRow {
  catalogId: number;
  plugin: string;
  enabledAt: number;
  tier: number;
}

export interface EntryKey {
  plugin: string;
  kind: string;
  name: string;
}

export interface ExceptionRow extends EntryKey {
  catalogId: number;
  enabled: boolean;
}

export interface TierRow extends EntryKey {
  catalogId: number;
  tier: number;
}

export interface BindingRow {
  projectPath: string;
  workspaceId: number;
  boundAt: number;
}

export interface UsageRow extends EntryKey {
  sourceRoot: string;
  loads: number;
  lastUsedAt: number;
}

/** What `lectern state export` prints. */
export interface StateExport {
  lectern: string;
  schema_version: number;
  exported_at: string;
  workspaces: {
    name: string;
    created_at: string;
    last_used_at: string | null;
    catalogs: {
      name: string;
      kind: EnrolmentKind;
      url: string;
      ref: string;
      root: string;
      added_at: string;
    }[];
    plugins: { catalog: string; plugin: string; enabled_at: string; tier: number }[];
    exceptions: {
      catalog: string;
      plugin: string;
      kind: string;
      name: string;
      enabled: boolean;
    }[];
    tiers: { catalog: string; plugin: string; kind: string; name: string; tier: number }[];
    bindings: { project_path: string; bound_at: string }[];
  }[];
  trust: { digest: string; subject: string; trusted_at: string }[];
  settings: Record<string, string>;
}

export interface StateStoreOptions {
  /** Absolute path of state.db. */
  path: string;
  /** Directory of the copies. */
  backups: string;
  /** Unix ms; replaced in tests. */
  now?: () => number;
  /** Open without writing (a session without a daemon, a read-only home). */
  readOnly?: boolean;
}

/**
 * Everything people decided, over state.db. Every write is one transaction;
 * `clock` grows with each, so that what is derived can be cached by it.
 * Close it with the scope that opened it.
 */
export class StateStore {
  readonly #db: Database;
  readonly #options: StateStoreOptions;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #clock = 1;
  #backedUpAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database, options: StateStoreOptions) {
    this.#db = db;
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get clock(): number {
    return this.#clock;
  }

  /** Called after each change of a decision. @returns stops it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get schemaVersion(): number {
    return schemaVersion(this.#db);
  }

  workspaces(): WorkspaceRow[] {
    return this.#db
      .all<WorkspaceColumns>('SELECT * FROM workspaces ORDER BY name')
      .map(toWorkspace);
  }

  workspace(name: string): WorkspaceRow | undefined {
    const row = this.#db.get<WorkspaceColumns>('SELECT * FROM workspaces WHERE name = ?', name);
    return row === undefined ? undefined : toWorkspace(row);
  }

  createWorkspace(name: string): WorkspaceRow {
    this.#change(() =>
      this.#db.run('INSERT INTO workspaces (name, created_at) VALUES (?, ?)', name, this.#now()),
    );
    return this.workspace(name)!;
  }

  renameWorkspace(id: number, name: string): void {
    this.#change(() => this.#db.run('UPDATE workspaces SET name = ? WHERE id = ?', name, id));
  }

  /** Its enrolments, enablement and bindings go with it. */
  removeWorkspace(id: number): void {
    this.#change(() => this.#db.run('DELETE FROM workspaces WHERE id = ?', id));
  }

  /** Not a decision: neither copied nor counted by the clock. */
  touchWorkspace(id: number): void {
    if (this.#options.readOnly === true) return;
    this.#db.run('UPDATE workspaces SET last_used_at = ? WHERE id = ?', this.#now(), id);
  }

  /** Of one workspace, or of all; sorted by workspace, then name. */
  enrolments(workspaceId?: number): EnrolmentRow[] {
    const rows =
      workspaceId === undefined
        ? this.#db.all<EnrolmentColumns>('SELECT * FROM catalogs ORDER BY workspace_id, name')
        : this.#db.all<EnrolmentColumns>(
            'SELECT * FROM catalogs WHERE workspace_id = ? ORDER BY name',
            workspaceId,
          );
    return rows.map(toEnrolment);
  }

  enrolment(workspaceId: number, name: string): EnrolmentRow | undefined {
    const row = this.#db.get<EnrolmentColumns>(
      'SELECT * FROM catalogs WHERE workspace_id = ? AND name = ?',
      workspaceId,
      name,
    );
    return row === undefined ? undefined : toEnrolment(row);
  }

  addEnrolment(row: Omit<EnrolmentRow, 'id' | 'addedAt'>): EnrolmentRow {
    this.#change(() =>
      this.#db.run(
        `INSERT INTO catalogs (workspace_id, name, kind, url, ref, ref_given, root, added_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        row.workspaceId,
        row.name,
        row.kind,
        row.url,
        row.ref,
        row.refGiven ? 1 : 0,
        row.root,
        this.#now(),
      ),
    );
    return this.enrolment(row.workspaceId, row.name)!;
  }

  /** Its enablement, exceptions and tiers go with it. */
  removeEnrolment(id: number): void {
    this.#change(() => this.#db.run('DELETE FROM catalogs WHERE id = ?', id));
  }

  enabledPlugins(workspaceId: number): EnabledPluginRow[] {
    return this.#db
      .all<PluginColumns>(
        `SELECT p.* FROM plugins p JOIN catalogs c ON c.id = p.catalog_id
         WHERE c.workspace_id = ? ORDER BY c.name, p.plugin`,
        workspaceId,
      )
      .map((row) => ({
        catalogId: row.catalog_id,
        plugin: row.plugin,
        enabledAt: row.enabled_at,
        tier: row.tier,
      }));
  }

  /** Enable several plugins at once; one that is enabled keeps its time and takes the tier. */
  enablePlugins(plugins: readonly { catalogId: number; plugin: string; tier: number }[]): void {
    if (plugins.length === 0) return;
    this.#change(() => {
      for (const { catalogId, plugin, tier } of plugins) {
        // What was switched off on its own stays off; a plugin enabled anew has no other leftovers.
        this.#db.run(
          'DELETE FROM exceptions WHERE catalog_id = ? AND plugin = ? AND enabled = 1',
          catalogId,
          plugin,
        );
        this.#db.run(
          `INSERT INTO plugins (catalog_id, plugin, enabled_at, tier) VALUES (?, ?, ?, ?)
           ON CONFLICT (catalog_id, plugin) DO UPDATE SET tier = excluded.tier`,
          catalogId,
          plugin,
          this.#now(),
          tier,
        );
      }
    });
  }

  disablePlugins(plugins: readonly { catalogId: number; plugin: string }[]): void {
    if (plugins.length === 0) return;
    this.#change(() => {
      for (const { catalogId, plugin } of plugins) {
        this.#db.run('DELETE FROM plugins WHERE catalog_id = ? AND plugin = ?', catalogId, plugin);
        this.#db.run(
          'DELETE FROM exceptions WHERE catalog_id = ? AND plugin = ?',
          catalogId,
          plugin,
        );
      }
    });
  }

  exceptions(workspaceId: number): ExceptionRow[] {
    return this.#db
      .all<ExceptionColumns>(
        `SELECT e.* FROM exceptions e JOIN catalogs c ON c.id = e.catalog_id
         WHERE c.workspace_id = ? ORDER BY c.name, e.plugin, e.kind, e.name`,
        workspaceId,
      )
      .map((row) => ({
        catalogId: row.catalog_id,
        plugin: row.plugin,
        kind: row.kind,
        name: row.name,
        enabled: row.enabled === 1,
      }));
  }

  /** Make an entry differ from its plugin; null ends the exception. */
  setException(catalogId: number, entry: EntryKey, enabled: boolean | null): void {
    const key: SqlValue[] = [catalogId, entry.plugin, entry.kind, entry.name];
    this.#change(() => {
      this.#db.run(
        'DELETE FROM exceptions WHERE catalog_id = ? AND plugin = ? AND kind = ? AND name = ?',
        ...key,
      );
      if (enabled === null) return;
      this.#db.run(
        'INSERT INTO exceptions (catalog_id, plugin, kind, name, enabled) VALUES (?, ?, ?, ?, ?)',
        ...key,
        enabled ? 1 : 0,
      );
    });
  }

  tiers(workspaceId: number): TierRow[] {
    return this.#db
      .all<TierColumns>(
        `SELECT t.* FROM tiers t JOIN catalogs c ON c.id = t.catalog_id
         WHERE c.workspace_id = ? ORDER BY c.name, t.plugin, t.kind, t.name`,
        workspaceId,
      )
      .map((row) => ({
        catalogId: row.catalog_id,
        plugin: row.plugin,
        kind: row.kind,
        name: row.name,
        tier: row.tier,
      }));
  }

  /** Set the tiers of several entries; null puts an entry back to its plugin's. */
  setTiers(rows: readonly (EntryKey & { catalogId: number; tier: number | null })[]): void {
    if (rows.length === 0) return;
    this.#change(() => {
      for (const row of rows) {
        const key: SqlValue[] = [row.catalogId, row.plugin, row.kind, row.name];
        this.#db.run(
          'DELETE FROM tiers WHERE catalog_id = ? AND plugin = ? AND kind = ? AND name = ?',
          ...key,
        );
        if (row.tier === null) continue;
        this.#db.run(
          'INSERT INTO tiers (catalog_id, plugin, kind, name, tier) VALUES (?, ?, ?, ?, ?)',
          ...key,
          row.tier,
        );
      }
    });
  }

  bindings(): BindingRow[] {
    return this.#db
      .all<BindingColumns>('SELECT * FROM bindings ORDER BY project_path')
      .map((row) => ({
        projectPath: row.project_path,
        workspaceId: row.workspace_id,
        boundAt: row.bound_at,
      }));
  }

  bind(projectPath: string, workspaceId: number): void {
    this.#change(() =>
      this.#db.run(
        `INSERT INTO bindings (project_path, workspace_id, bound_at) VALUES (?, ?, ?)
         ON CONFLICT (project_path) DO UPDATE
         SET workspace_id = excluded.workspace_id, bound_at = excluded.bound_at`,
        projectPath,
        workspaceId,
        this.#now(),
      ),
    );
  }

  unbind(projectPath: string): void {
    this.#change(() => this.#db.run('DELETE FROM bindings WHERE project_path = ?', projectPath));
  }

  isTrusted(digest: string): boolean {
    return this.#db.get('SELECT 1 AS found FROM trust WHERE digest = ?', digest) !== undefined;
  }

  /** @param subject what was looked at, for people: `<catalog>/<plugin>` */
  trust(digest: string, subject: string): void {
    this.#change(() =>
      this.#db.run(
        `INSERT INTO trust (digest, subject, trusted_at) VALUES (?, ?, ?)
         ON CONFLICT (digest) DO NOTHING`,
        digest,
        subject,
        this.#now(),
      ),
    );
  }

  /** Every digest trusted for a subject is distrusted. */
  distrust(subject: string): void {
    this.#change(() => this.#db.run('DELETE FROM trust WHERE subject = ?', subject));
  }

  setting(key: string): string | undefined {
    return this.#db.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)?.value;
  }

  setSetting(key: string, value: string): void {
    this.#change(() =>
      this.#db.run(
        `INSERT INTO settings (key, value) VALUES (?, ?)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
        key,
        value,
      ),
    );
  }

  /** Add loads to the counts; not a decision, so neither copied nor counted by the clock. */
  addUsage(loads: readonly (EntryKey & { sourceRoot: string; loads: number })[]): void {
    if (loads.length === 0 || this.#options.readOnly === true) return;
    this.#db.transact(() => {
      for (const row of loads) {
        this.#db.run(
          `INSERT INTO usage (source_root, plugin, kind, name, loads, last_used_at)
           VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (source_root, plugin, kind, name) DO UPDATE
           SET loads = loads + excluded.loads, last_used_at = excluded.last_used_at`,
          row.sourceRoot,
          row.plugin,
          row.kind,
          row.name,
          row.loads,
          this.#now(),
        );
      }
    });
  }

  usage(): UsageRow[] {
    return this.#db
      .all<UsageColumns>('SELECT * FROM usage ORDER BY loads DESC, source_root, plugin, kind, name')
      .map((row) => ({
        sourceRoot: row.source_root,
        plugin: row.plugin,
        kind: row.kind,
        name: row.name,
        loads: row.loads,
        lastUsedAt: row.last_used_at,
      }));
  }

  /** All of it but the counts, as one document that a person can read. */
  exportState(): StateExport {
    return {
      lectern: VERSION,
      schema_version: this.schemaVersion,
      exported_at: toRfc3339(this.#now()),
      workspaces: this.workspaces().map((workspace) => this.#exportWorkspace(workspace)),
      trust: this.#db
        .all<{ digest: string; subject: string; trusted_at: number }>(
          'SELECT * FROM trust ORDER BY subject, digest',
        )
        .map((row) => ({ ...row, trusted_at: toRfc3339(row.trusted_at) })),
      settings: Object.fromEntries(
        this.#db
          .all<{ key: string; value: string }>('SELECT * FROM settings ORDER BY key')
          .map((row) => [row.key, row.value]),
      ),
    };
  }

  close(): void {
    if (this.#options.readOnly !== true) this.#db.emptyLog();
    this.#db.close();
  }

  #exportWorkspace(workspace: WorkspaceRow): StateExport['workspaces'][number] {
    const enrolments = this.enrolments(workspace.id);
    const names = new Map(enrolments.map((row) => [row.id, row.name]));
    const named = <Row extends { catalogId: number }>({ catalogId, ...rest }: Row) => ({
      catalog: names.get(catalogId)!,
      ...rest,
    });
    return {
      name: workspace.name,
      created_at: toRfc3339(workspace.createdAt),
      last_used_at: workspace.lastUsedAt === null ? null : toRfc3339(workspace.lastUsedAt),
      catalogs: enrolments.map((row) => ({
        name: row.name,
        kind: row.kind,
        url: row.url,
        ref: row.ref,
        root: row.root,
        added_at: toRfc3339(row.addedAt),
      })),
      plugins: this.enabledPlugins(workspace.id)
        .map(named)
        .map(({ catalog, plugin, enabledAt, tier }) => ({
          catalog,
          plugin,
          enabled_at: toRfc3339(enabledAt),
          tier,
        })),
      exceptions: this.exceptions(workspace.id).map(named),
      tiers: this.tiers(workspace.id).map(named),
      bindings: this.bindings()
        .filter((row) => row.workspaceId === workspace.id)
        .map((row) => ({ project_path: row.projectPath, bound_at: toRfc3339(row.boundAt) })),
    };
  }

  #change(work: () => unknown): void {
    try {
      this.#backUpBeforeBurst();
      this.#db.transact(work);
    } catch (error) {
      throw explainUnwritten(this.#options.path, error);
    }
    this.#clock++;
    for (const listener of this.#listeners) listener();
  }

  #backUpBeforeBurst(): void {
    const now = this.#now();
    if (now - this.#backedUpAt < BACKUP_EVERY_MS) return;
    this.#backedUpAt = now;
    const hasDecisions =
      this.#db.get('SELECT 1 AS found FROM catalogs LIMIT 1') !== undefined ||
      this.#db.get('SELECT 1 AS found FROM workspaces WHERE name <> ?', GLOBAL_WORKSPACE) !==
        undefined;
    if (hasDecisions) backUp(this.#db, this.#options.backups, 'before-change');
  }
}

/**
 * Open state.db, make it if it is absent, and see that `global` exists.
 *
 * @throws LecternError schema_too_new, schema_migration; io when it is damaged or cannot be opened
 */
export function openStateStore(options: StateStoreOptions): StateStore {
  try {
    return openState(options);
  } catch (error) {
    throw explainUnusable(options, error);
  }
}

function openState(options: StateStoreOptions): StateStore {
  const isAbsent = !existsSync(options.path);
  // An empty file is a new database to SQLite: every decision would be lost without a word.
  if (!isAbsent && statSync(options.path).size === 0 && newestCopy(options) !== undefined) {
    throw new Error('it is empty');
  }
  if (options.readOnly === true && !isAbsent) {
    return new StateStore(openForReading(options.path), options);
  }
  // Library contract 1.1: files of ours are the user's alone; SQLite gives its log the same mode.
  if (isAbsent && options.readOnly !== true) closeSync(openSync(options.path, 'a', 0o600));
  const db = openForWriting(options.readOnly === true ? ':memory:' : options.path, {
    migrations: STATE_MIGRATIONS,
    backups: options.backups,
  });
  db.run(
    'INSERT INTO workspaces (name, created_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
    GLOBAL_WORKSPACE,
    (options.now ?? Date.now)(),
  );
  return new StateStore(db, options);
}

/** What people decided is never replaced unasked (design 6): the error says what they can do. */
function explainUnusable(options: StateStoreOptions, error: unknown): LecternError {
  if (error instanceof LecternError) return error;
  const { path } = options;
  const copy = newestCopy(options);
  const mend =
    copy === undefined
      ? `mv ${path} ${path}.damaged (what was decided is in it)`
      : `rm -f ${path}-wal ${path}-shm && cp ${copy} ${path}`;
  return new LecternError('io', `${path} cannot be used: ${(error as Error).message}`, {
    next: isOfPlace(error)
      ? 'check that it is a file of yours that you may write, then: lectern daemon restart'
      : `${mend}, then: lectern daemon restart`,
    cause: error,
  });
}

/** A change that the disk refused: nothing of it was kept, and what was decided before still stands. */
function explainUnwritten(path: string, error: unknown): unknown {
  const fault = (error as { code?: unknown }).code === 'EROFS' ? 'read-only' : databaseFault(error);
  const [why, next] =
    fault === 'full'
      ? ['the disk is full or failing', 'free some space, then try again']
      : fault === 'read-only'
        ? ['it is read-only', 'make it writable, then: lectern daemon restart']
        : fault === 'busy'
          ? ['another process holds it', 'try again']
          : [undefined, ''];
  if (why === undefined) return error;
  return new LecternError('io', `${path} cannot be written: ${why}`, { next, cause: error });
}

/** The fault lies with the place, not with the content. */
function isOfPlace(error: unknown): boolean {
  return /^(?:read-only|full|busy)$/.test(databaseFault(error));
}

/** The newest of the copies that changes left, if there is one. */
function newestCopy({ path, backups }: StateStoreOptions): string | undefined {
  if (!existsSync(backups)) return undefined;
  const prefix = `${basename(path)}.`;
  const copies = readdirSync(backups).filter(
    (name) => name.startsWith(prefix) && !/(?:\.part|-wal|-shm)$/.test(name),
  );
  const newest = copies.sort().at(-1);
  return newest === undefined ? undefined : join(backups, newest);
}

/** Unix ms as RFC 3339 in UTC, to the second. */
export function toRfc3339(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

interface WorkspaceColumns {
  id: number;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

interface EnrolmentColumns {
  id: number;
  workspace_id: number;
  name: string;
  kind: EnrolmentKind;
  url: string;
  ref: string;
  ref_given: number;
  root: string;
  added_at: number;
}

interface PluginColumns {
  catalog_id: number;
  plugin: string;
  enabled_at: number;
  tier: number;
}

interface EntryColumns {
  catalog_id: number;
  plugin: string;
  kind: string;
  name: string;
}

interface ExceptionColumns extends EntryColumns {
  enabled: number;
}

interface TierColumns extends EntryColumns {
  tier: number;
}

interface BindingColumns {
  project_path: string;
  workspace_id: number;
  bound_at: number;
}

interface UsageColumns {
  source_root: string;
  plugin: string;
  kind: string;
  name: string;
  loads: number;
  last_used_at: number;
}

function toWorkspace(row: WorkspaceColumns): WorkspaceRow {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

function toEnrolment(row: EnrolmentColumns): EnrolmentRow {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    kind: row.kind,
    url: row.url,
    ref: row.ref,
    refGiven: row.ref_given === 1,
    root: row.root,
    addedAt: row.added_at,
  };
}
