import { expect, test } from 'vitest';
import { exportDecisions } from '../../../src/store/state/export-decisions.ts';
import { enrol, leaveRows, makeDirectory, openState } from './fixture.ts';

test('the export holds every decision in words', () => {
  const directory = makeDirectory();
  const state = openState(directory, { now: () => Date.UTC(2026, 0, 5, 9) });
  const { id } = enrol(state);
  state.enablement.enable([{ catalogId: id, plugin: 'pruning', tier: 3 }]);
  state.enablement.setException(id, { plugin: 'pruning', kind: 'skill', name: 'x' }, false);
  state.tiers.set([{ catalogId: id, plugin: 'pruning', kind: 'skill', name: 'y', tier: 1 }]);
  leaveRows(
    directory,
    `INSERT INTO trust VALUES ('abc', 'orchard/pruning', ${Date.UTC(2026, 0, 4)});
     INSERT INTO settings VALUES ('k', 'v');`,
  );
  expect(exportDecisions(state, Date.UTC(2026, 0, 5, 9))).toEqual({
    lectern: expect.any(String),
    schema_version: 1,
    exported_at: '2026-01-05T09:00:00Z',
    workspaces: [
      {
        name: 'global',
        created_at: '2026-01-05T09:00:00Z',
        last_used_at: null,
        catalogs: [
          {
            name: 'orchard',
            kind: 'directory',
            url: 'file:///orchard',
            ref: 'main',
            root: '/orchard',
            added_at: '2026-01-05T09:00:00Z',
          },
        ],
        plugins: [
          { catalog: 'orchard', plugin: 'pruning', enabled_at: '2026-01-05T09:00:00Z', tier: 3 },
        ],
        exceptions: [
          { catalog: 'orchard', plugin: 'pruning', kind: 'skill', name: 'x', enabled: false },
        ],
        tiers: [{ catalog: 'orchard', plugin: 'pruning', kind: 'skill', name: 'y', tier: 1 }],
        bindings: [],
      },
    ],
    trust: [{ digest: 'abc', subject: 'orchard/pruning', trusted_at: '2026-01-04T00:00:00Z' }],
    settings: { k: 'v' },
  });
});
