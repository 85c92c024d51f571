import { expect, test } from 'vitest';
import { entryId, getCommand } from '../../src/core/entry-id.ts';

const entry = { catalog: 'team', plugin: 'sdk', name: 'linux', kind: 'skill' };

test('an id has colons, or slashes where the name could be mistaken for parts', () => {
  expect(entryId(entry)).toBe('team:sdk:linux');
  expect(entryId({ ...entry, name: 'sdk/linux' })).toBe('team/sdk/sdk/linux');
  expect(entryId({ ...entry, name: 'opsx:new' })).toBe('team/sdk/opsx:new');
});

test('the command that loads an entry names its kind and is quoted for a shell', () => {
  expect(getCommand({ ...entry, kind: 'agent' })).toBe('lectern get team:sdk:linux --kind agent');
  expect(getCommand({ ...entry, name: "it's; rm" })).toBe(`lectern get 'team:sdk:it'\\''s; rm'`);
});
