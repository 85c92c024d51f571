import type { Database, SqlValue } from '../database.ts';

/** Insert, or update the row of the same key; a replaced row would lose its id and children. */
export function upsert(
  db: Database,
  table: string,
  key: string,
  columns: Record<string, SqlValue>,
): void {
  const names = Object.keys(columns);
  const isKey = new Set(key.split(', '));
  const updates = names
    .filter((name) => !isKey.has(name))
    .map((name) => `${name} = excluded.${name}`);
  db.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`,
    ...Object.values(columns),
  );
}

/** True when `row` has exactly these values. */
export function holds(row: object, columns: Record<string, string | number | null>): boolean {
  return Object.entries(columns).every(
    ([column, value]) => (row as Record<string, unknown>)[column] === value,
  );
}
