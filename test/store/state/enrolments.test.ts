import { expect, test } from 'vitest';
import { enrol, makeDirectory, openState } from './fixture.ts';

test('removing an enrolment removes what hangs on it', () => {
  const state = openState(makeDirectory());
  const { id, workspaceId } = enrol(state);
  state.enablement.enable([{ catalogId: id, plugin: 'p', tier: 3 }]);
  state.tiers.set([{ catalogId: id, plugin: 'p', kind: 'skill', name: 'y', tier: 1 }]);
  state.enrolments.remove(id);
  expect(state.enablement.pluginsOf(workspaceId)).toEqual([]);
  expect(state.tiers.of(workspaceId)).toEqual([]);
});
