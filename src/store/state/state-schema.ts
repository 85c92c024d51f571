/**
 * state.db: what people decided (design 6). Copied before changes, exported by
 * `lectern state export`, never replaced automatically.
 *
 * Steps are numbered and forward-only; a released step is never edited.
 * Times are Unix milliseconds.
 */
export const STATE_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE workspaces (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  );

  -- One enrolment: a workspace's name for a directory or a clone.
  CREATE TABLE catalogs (
    id INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,               -- 'directory' (read in place) | 'git' (a clone of ours)
    url TEXT NOT NULL,                -- without credentials
    ref TEXT NOT NULL,
    ref_given INTEGER NOT NULL,       -- 1 when the person chose the ref
    root TEXT NOT NULL,               -- absolute, canonical
    added_at INTEGER NOT NULL,
    UNIQUE (workspace_id, name)
  );
  CREATE INDEX catalogs_by_root ON catalogs (root);

  -- A row is enablement: an entry added to the plugin later is enabled too (design 1).
  CREATE TABLE plugins (
    catalog_id INTEGER NOT NULL REFERENCES catalogs(id) ON DELETE CASCADE,
    plugin TEXT NOT NULL,
    enabled_at INTEGER NOT NULL,
    tier INTEGER NOT NULL DEFAULT 3,  -- of every entry without a row in tiers
    PRIMARY KEY (catalog_id, plugin)
  ) WITHOUT ROWID;

  -- Entries that differ from their plugin.
  CREATE TABLE exceptions (
    catalog_id INTEGER NOT NULL REFERENCES catalogs(id) ON DELETE CASCADE,
    plugin TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    PRIMARY KEY (catalog_id, plugin, kind, name)
  ) WITHOUT ROWID;

  CREATE TABLE tiers (
    catalog_id INTEGER NOT NULL REFERENCES catalogs(id) ON DELETE CASCADE,
    plugin TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    tier INTEGER NOT NULL,
    PRIMARY KEY (catalog_id, plugin, kind, name)
  ) WITHOUT ROWID;

  CREATE TABLE bindings (
    project_path TEXT PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspaces(id) ON DELETE CASCADE,
    bound_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- Content digests of plugin parts that may reach a host (design 4).
  CREATE TABLE trust (
    digest TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    trusted_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE usage (
    source_root TEXT NOT NULL, plugin TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    loads INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    PRIMARY KEY (source_root, plugin, kind, name)
  ) WITHOUT ROWID;
  `,
];
