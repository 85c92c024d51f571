import type { StateDatabase } from './state-database.ts';

export interface WorkspaceRow {
  id: number;
  name: string;
  /** Unix ms. */
  createdAt: number;
  lastUsedAt: number | null;
}

interface WorkspaceColumns {
  id: number;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** The workspaces that people made, and `global`. */
export class Workspaces {
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
  }

  /** Sorted by name. */
  all(): WorkspaceRow[] {
    return this.#db
      .all<WorkspaceColumns>('SELECT * FROM workspaces ORDER BY name')
      .map(toWorkspace);
  }

  named(name: string): WorkspaceRow | undefined {
    const row = this.#db.get<WorkspaceColumns>('SELECT * FROM workspaces WHERE name = ?', name);
    return row === undefined ? undefined : toWorkspace(row);
  }

  create(name: string): WorkspaceRow {
    this.#db.change((db) =>
      db.run('INSERT INTO workspaces (name, created_at) VALUES (?, ?)', name, this.#db.now()),
    );
    return this.named(name)!;
  }

  rename(id: number, name: string): void {
    this.#db.change((db) => db.run('UPDATE workspaces SET name = ? WHERE id = ?', name, id));
  }

  /** Its enrolments, enablement and bindings go with it. */
  remove(id: number): void {
    this.#db.change((db) => db.run('DELETE FROM workspaces WHERE id = ?', id));
  }

  /** Not a decision: neither copied nor counted by the clock. */
  touch(id: number): void {
    this.#db.note((db) =>
      db.run('UPDATE workspaces SET last_used_at = ? WHERE id = ?', this.#db.now(), id),
    );
  }
}

function toWorkspace(row: WorkspaceColumns): WorkspaceRow {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
