import { expect, test } from 'vitest';
import {
  emptyChange,
  type IndexedEntry,
  type IndexedPlugin,
  type IndexedSource,
  LiveIndexView,
} from '../../src/store/index-view.ts';

const source = (id: number, root: string): IndexedSource => ({
  id,
  root,
  kind: 'catalog',
  format: 'folder',
  name: root,
  description: null,
  version: null,
  owner: null,
  external: [],
  found: { skill: 0, command: 0, agent: 0 },
  loaded: { skill: 0, command: 0, agent: 0 },
  problems: [],
  readAt: 1,
});

const plugin = (id: number, sourceId: number, name: string, version: string): IndexedPlugin => ({
  id,
  sourceId,
  name,
  version,
  description: null,
  license: null,
  author: null,
  format: 'folder',
  root: `/${name}`,
  source: name,
  components: { skills: 0, agents: 0, commands: 0, hooks: 0, mcpServers: 0 },
  shipsHooksJson: false,
  shipsGuardrails: false,
  problems: [],
  unusable: null,
  indexedAt: 1,
});

const entry = (
  id: number,
  pluginId: number,
  kind: 'skill' | 'agent',
  name: string,
): IndexedEntry => ({
  id,
  pluginId,
  sourceId: 1,
  plugin: 'herbs',
  pluginVersion: '1.0.0',
  kind,
  name,
  description: name,
  whenToUse: null,
  arguments: [],
  argumentHint: null,
  promptName: null,
  searchable: true,
  userInvocable: true,
  takesArguments: false,
  path: name,
  file: `/${name}`,
  fileHash: name,
  textHash: name,
  bodyChars: 1,
  problems: [],
  indexedAt: 1,
});

function plantView(): LiveIndexView {
  const view = new LiveIndexView();
  view.apply({
    ...emptyChange(),
    sources: [source(1, '/garden')],
    plugins: [plugin(2, 1, 'trees', '1.0.0'), plugin(1, 1, 'herbs', '1.0.0')],
    entries: [
      entry(3, 1, 'skill', 'dry'),
      entry(1, 1, 'skill', 'cut'),
      entry(2, 1, 'agent', 'zoe'),
    ],
  });
  return view;
}

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

test('plugins come by name, entries by kind and name', () => {
  const view = plantView();
  expect(names(view.pluginsOf(1))).toEqual(['herbs', 'trees']);
  expect(names(view.entriesOf(1))).toEqual(['zoe', 'cut', 'dry']);
  expect(view.sourceByRoot('/garden')?.id).toBe(1);
});

test('the clock grows with every change', () => {
  const view = plantView();
  const before = view.clock;
  view.apply({ ...emptyChange(), removedEntries: [1] });
  expect(view.clock).toBeGreaterThan(before);
});

test('a list that was handed out before a change is not changed under its reader', () => {
  const view = plantView();
  const list = view.entriesOf(1);
  view.apply({ ...emptyChange(), removedEntries: [1], entries: [entry(4, 1, 'skill', 'sow')] });
  expect(names(list)).toEqual(['zoe', 'cut', 'dry']);
  expect(names(view.entriesOf(1))).toEqual(['zoe', 'dry', 'sow']);
});

test('a source takes its plugins and entries with it', () => {
  const view = plantView();
  view.apply({ ...emptyChange(), removedSources: [1] });
  expect([view.sources.size, view.plugins.size, view.entries.size]).toEqual([0, 0, 0]);
  expect(view.sourceByRoot('/garden')).toBeUndefined();
  expect(view.pluginsOf(1)).toEqual([]);
});

test('entries carry the version that their plugin has now', () => {
  const view = plantView();
  view.apply({ ...emptyChange(), plugins: [plugin(1, 1, 'herbs', '2.0.0')] });
  expect(view.entriesOf(1).map((it) => it.pluginVersion)).toEqual(['2.0.0', '2.0.0', '2.0.0']);
});
