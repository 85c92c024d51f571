import type { StateDatabase } from './state-database.ts';

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

/** Which catalogs each workspace has, and under which names. */
export class Enrolments {
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
  }

  /** Of all workspaces; sorted by workspace, then name. */
  all(): EnrolmentRow[] {
    return this.#db
      .all<EnrolmentColumns>('SELECT * FROM catalogs ORDER BY workspace_id, name')
      .map(toEnrolment);
  }

  /** Of one workspace, sorted by name. */
  of(workspaceId: number): EnrolmentRow[] {
    return this.#db
      .all<EnrolmentColumns>(
        'SELECT * FROM catalogs WHERE workspace_id = ? ORDER BY name',
        workspaceId,
      )
      .map(toEnrolment);
  }

  named(workspaceId: number, name: string): EnrolmentRow | undefined {
    const row = this.#db.get<EnrolmentColumns>(
      'SELECT * FROM catalogs WHERE workspace_id = ? AND name = ?',
      workspaceId,
      name,
    );
    return row === undefined ? undefined : toEnrolment(row);
  }

  add(row: Omit<EnrolmentRow, 'id' | 'addedAt'>): EnrolmentRow {
    this.#db.change((db) =>
      db.run(
        `INSERT INTO catalogs (workspace_id, name, kind, url, ref, ref_given, root, added_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        row.workspaceId,
        row.name,
        row.kind,
        row.url,
        row.ref,
        row.refGiven ? 1 : 0,
        row.root,
        this.#db.now(),
      ),
    );
    return this.named(row.workspaceId, row.name)!;
  }

  /** Its enablement, exceptions and tiers go with it. */
  remove(id: number): void {
    this.#db.change((db) => db.run('DELETE FROM catalogs WHERE id = ?', id));
  }
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
