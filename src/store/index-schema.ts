/**
 * index.db: what can be recomputed (design 6). A damaged one is set aside and
 * rebuilt. Entries belong to a *source* (one directory on disk); the name a
 * workspace gives a catalog lives in state.db, so that one source enrolled
 * twice is indexed once.
 *
 * Steps are numbered and forward-only; a released step is never edited.
 */
export const INDEX_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  -- One directory that is read: a clone, an in-place catalog, a project.
  CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    root TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,               -- 'catalog' | 'project'
    format TEXT,                      -- CatalogFormat, null until read
    name TEXT,                        -- the manifest's name, else the folder's
    description TEXT, version TEXT,
    owner TEXT,                       -- JSON {name,email} or null
    external TEXT NOT NULL DEFAULT '[]',
    found TEXT NOT NULL DEFAULT '{}', -- JSON: entry files by kind
    loaded TEXT NOT NULL DEFAULT '{}',
    problems TEXT NOT NULL DEFAULT '[]',
    watch TEXT NOT NULL DEFAULT '[]', -- directories of CatalogReading.watch, for the next start
    read_at INTEGER                   -- Unix ms of the last complete reading
  );

  CREATE TABLE plugins (
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    version TEXT, description TEXT, license TEXT,
    author TEXT,                      -- JSON {name,email} or null
    format TEXT NOT NULL,
    root TEXT NOT NULL,
    source TEXT NOT NULL,             -- relative to the source root
    components TEXT NOT NULL,         -- JSON
    ships_hooks_json INTEGER NOT NULL, ships_guardrails INTEGER NOT NULL,
    problems TEXT NOT NULL,
    unusable TEXT,                    -- JSON Problem or null
    indexed_at INTEGER NOT NULL,      -- Unix ms
    UNIQUE (source_id, name)
  );

  CREATE TABLE entries (
    -- Also the FTS rowid. Never used twice: what is cached by id must not meet another entry.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    plugin_id INTEGER NOT NULL REFERENCES plugins(id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    declared_name TEXT NOT NULL,      -- before siblings of one name were told apart
    description TEXT NOT NULL,
    when_to_use TEXT,
    arguments TEXT NOT NULL,          -- JSON [{name,description?}]
    argument_hint TEXT, prompt_name TEXT,
    searchable INTEGER NOT NULL, user_invocable INTEGER NOT NULL,
    takes_arguments INTEGER NOT NULL, -- the body holds $ARGUMENTS
    path TEXT NOT NULL,               -- relative to the plugin root
    file TEXT NOT NULL,               -- absolute
    file_hash TEXT NOT NULL,
    text_hash TEXT NOT NULL,          -- SHA-256 of the embedding text
    body_chars INTEGER NOT NULL,
    mtime_ms REAL NOT NULL, size INTEGER NOT NULL,
    problems TEXT NOT NULL,
    indexed_at INTEGER NOT NULL,      -- Unix ms
    UNIQUE (plugin_id, kind, name)
  );
  CREATE INDEX entries_by_hash ON entries (file_hash);
  CREATE INDEX entries_by_file ON entries (file);
  CREATE INDEX entries_by_text ON entries (text_hash);

  -- The body as read, for chunks, ranking features and explain; never served (get_skill reads the disk).
  CREATE TABLE bodies (
    entry_id INTEGER PRIMARY KEY REFERENCES entries(id) ON DELETE CASCADE,
    body TEXT NOT NULL,
    terms BLOB NOT NULL               -- packWords of name, description and body, for ranking
  );

  -- Pre-tokenised by src/search/tokenise.ts: words joined by spaces, one column per field.
  CREATE VIRTUAL TABLE entries_fts USING fts5(
    name, description, when_to_use, body,
    content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 tokenchars '_'"
  );

  -- Body chunks, in order; at most CHUNKS_PER_ENTRY each.
  CREATE TABLE chunks (
    entry_id INTEGER NOT NULL REFERENCES entries(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text_hash TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (entry_id, position)
  ) WITHOUT ROWID;
  CREATE INDEX chunks_by_hash ON chunks (text_hash);

  -- Keyed by model + text, so that moving or re-adding an entry embeds nothing.
  CREATE TABLE vectors (
    model TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    vector BLOB NOT NULL,             -- float32 little-endian, unit length
    PRIMARY KEY (model, text_hash)
  ) WITHOUT ROWID;
  `,
];
