import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Database } from '../../../src/store/database.ts';
import type { EnrolmentRow } from '../../../src/store/state/enrolments.ts';
import { openStateStore } from '../../../src/store/state/open-state-store.ts';
import type { StateStore } from '../../../src/store/state/state-store.ts';

/** An empty directory, gone after the test. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-state-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The state of a directory, closed after the test. */
export function openState(
  directory: string,
  options: { now?: () => number; readOnly?: boolean } = {},
): StateStore {
  const state = openStateStore({
    path: join(directory, 'state.db'),
    backups: join(directory, 'backups'),
    ...options,
  });
  onTestFinished(() => state.close());
  return state;
}

/** Enrol a catalog in the global workspace. */
export function enrol(state: StateStore, name = 'orchard'): EnrolmentRow {
  return state.enrolments.add({
    workspaceId: state.workspaces.named('global')!.id,
    name,
    kind: 'directory',
    url: `file:///${name}`,
    ref: 'main',
    refGiven: false,
    root: `/${name}`,
  });
}

/** Rows that another version of lectern has left in the state of a directory. */
export function leaveRows(directory: string, sql: string): void {
  const db = new Database(join(directory, 'state.db'));
  db.exec(sql);
  db.close();
}
