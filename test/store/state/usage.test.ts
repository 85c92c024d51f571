import { expect, test } from 'vitest';
import { makeDirectory, openState } from './fixture.ts';

test('loads add up', () => {
  const state = openState(makeDirectory());
  const row = { sourceRoot: '/r', plugin: 'p', kind: 'skill', name: 'n' };
  state.usage.add([{ ...row, loads: 2 }]);
  state.usage.add([{ ...row, loads: 3 }]);
  expect(state.usage.all()).toMatchObject([{ ...row, loads: 5 }]);
});
