import type { StateDatabase } from './state-database.ts';

export interface BindingRow {
  projectPath: string;
  workspaceId: number;
  boundAt: number;
}

interface BindingColumns {
  project_path: string;
  workspace_id: number;
  bound_at: number;
}

/** Which project works in which workspace. */
export class Bindings {
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
  }

  /** Sorted by project path. */
  all(): BindingRow[] {
    return this.#db
      .all<BindingColumns>('SELECT * FROM bindings ORDER BY project_path')
      .map((row) => ({
        projectPath: row.project_path,
        workspaceId: row.workspace_id,
        boundAt: row.bound_at,
      }));
  }

  /** A project that is bound already is bound anew. */
  bind(projectPath: string, workspaceId: number): void {
    this.#db.change((db) =>
      db.run(
        `INSERT INTO bindings (project_path, workspace_id, bound_at) VALUES (?, ?, ?)
         ON CONFLICT (project_path) DO UPDATE
         SET workspace_id = excluded.workspace_id, bound_at = excluded.bound_at`,
        projectPath,
        workspaceId,
        this.#db.now(),
      ),
    );
  }
}
