import Libsql from 'libsql';

export type SqlValue = string | number | bigint | null | Uint8Array;

/**
 * One libsql connection, with the library's traps closed:
 * - `.get()` adds a `_metadata` member to the row and does not pluck;
 * - blobs come as Buffer from `.get()`, as ArrayBuffer from `.all()` (here: always ArrayBuffer);
 * - a single object argument (a Buffer, null) would be taken for named parameters.
 * Statements are prepared once per SQL text and finalised with the connection.
 */
export class Database {
  readonly path: string;
  readonly #connection: Libsql.Database;
  readonly #statements = new Map<string, Libsql.Statement<unknown[]>>();

  /** @throws SqliteError as libsql gives it; see `databaseFault` for its kind */
  constructor(path: string) {
    this.path = path;
    this.#connection = new Libsql(path);
  }

  /** Run statements that take no parameters and return nothing. */
  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Every row; blobs as ArrayBuffer. */
  all<Row = Record<string, unknown>>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#statement(sql).all(values) as Row[];
  }

  /** The first row, or undefined. The statement should yield one row at most. */
  get<Row = Record<string, unknown>>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.all<Row>(sql, ...values)[0];
  }

  /** Rows changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#statement(sql).run(values).changes;
  }

  /** Run `work` inside one transaction: all of it is kept, or nothing. */
  transact<T>(work: () => T): T {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk may have rolled back already; the first error is the one to tell.
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * libsql finalises statements when they are garbage-collected, and until then
   * SQLite keeps the closed connection and its log. So whoever wrote empties the
   * log first (`emptyLog`), and the database file alone holds everything.
   */
  close(): void {
    this.#statements.clear();
    if (this.#connection.open) this.#connection.close();
  }

  /** Move what the write-ahead log holds into the database; quietly not, where that is impossible now. */
  emptyLog(): void {
    try {
      this.#connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // A reader is at work or the disk is full: the log is as good as the file.
    }
  }

  #statement(sql: string): Libsql.Statement<unknown[]> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

export type DatabaseFault = 'corrupt' | 'full' | 'read-only' | 'busy' | 'other';

/** What kind of trouble a caught database error is, by SQLite's primary result code. */
export function databaseFault(caught: unknown): DatabaseFault {
  const error = caught as { code?: unknown; message?: unknown } | null;
  const code = typeof error?.code === 'string' ? error.code : '';
  const message = typeof error?.message === 'string' ? error.message : '';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return 'corrupt';
  if (/^SQLITE_(FULL|IOERR)/.test(code) || code === 'ENOSPC') return 'full';
  // libsql reports a failed open as text: SQLite's code 14 is CANTOPEN.
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code) || /: 14"/.test(message))
    return 'read-only';
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'busy';
  return 'other';
}
