import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIRST_SORTS, sessionColumns, sortRows } from '../../src/top/columns.ts';
import { addReading, NO_HISTORY } from '../../src/top/history.ts';
import { addLogLines, LOG_LINES_KEPT } from '../../src/top/log-lines.ts';
import { shortAge, shortCount, shortLatency, shortRate } from '../../src/top/numbers.ts';
import { filterRows, withTilde } from '../../src/top/rows.ts';
import { type ScreenContext, shapeScreen } from '../../src/top/screen.ts';
import type { SessionRow } from '../../src/top/snapshot.ts';
import { FIRST_VIEW } from '../../src/top/view-state.ts';
import { busySnapshot, idleSnapshot, NOW } from './fixture.ts';

const context: ScreenContext = { history: NO_HISTORY, log: [], home: '/home/ada', ownPid: 300 };

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1.0k'],
  [9949, '9.9k'],
  [12_345, '12k'],
  [999_499, '999k'],
  [999_500, '1.0M'],
])('%i is written %s', (count, text) => {
  expect(shortCount(count)).toBe(text);
});

test.each([
  [0.004, '0.00 ms'],
  [0.42, '0.42 ms'],
  [8.06, '8.1 ms'],
  [9.96, '10 ms'],
  [999.6, '1.0 s'],
  [45_200, '45 s'],
])('%f ms take %s', (ms, text) => {
  expect(shortLatency(ms)).toBe(text);
});

test.each([
  [9_999, '9s'],
  [125_000, '2m05s'],
  [12_000_000, '3h20m'],
  [371_000_000, '4d07h'],
])('%i ms ago is %s ago', (ms, text) => {
  expect(shortAge(ms)).toBe(text);
});

test('a rate keeps one decimal while it is small', () => {
  expect([0, 0.4, 9.9, 12.4, 1234].map(shortRate)).toEqual([
    '0/s',
    '0.4/s',
    '9.9/s',
    '12/s',
    '1.2k/s',
  ]);
});

test('sorting keeps every row, in order of the column', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 30 }), fc.boolean(), (numbers, isDescending) => {
      const given = numbers.map((calls) => ({ calls })) as SessionRow[];
      const sorted = sortRows(given, sessionColumns, { by: 'calls', isDescending });
      expect(sorted).toHaveLength(given.length);
      expect(new Set(sorted)).toEqual(new Set(given));
      const calls = sorted.map((row) => row.calls);
      expect(calls).toEqual([...calls].sort((a, b) => (isDescending ? b - a : a - b)));
    }),
  );
});

test('a filter keeps the rows that hold all of its words in any column', () => {
  const rows = [
    { id: 1, agent: 'Cursor', directory: '/srv/shop' },
    { id: 2, agent: 'codex', directory: '/srv/ledger' },
  ];
  expect(filterRows(rows, ' SRV  curs ').map((row) => row.id)).toEqual([1]);
  expect(filterRows(rows, 'srv').map((row) => row.id)).toEqual([1, 2]);
  expect(filterRows(rows, '1')).toEqual([]);
  expect(filterRows(rows, '  ')).toEqual(rows);
});

test('only a home directory of its own is written as a tilde', () => {
  expect(withTilde('/home/ada/orchard', '/home/ada')).toBe('~/orchard');
  expect(withTilde('/home/ada', '/home/ada')).toBe('~');
  expect(withTilde('/home/adam', '/home/ada')).toBe('/home/adam');
  expect(withTilde('/srv', '/')).toBe('/srv');
});

test('this command is no session of its own picture', () => {
  const { sessions, counts } = shapeScreen(busySnapshot(), FIRST_VIEW, context);
  expect(sessions.map((row) => row.pid)).toEqual(['100', '90']);
  expect(counts.sessions).toBe('2');
});

test('a session shows the workspace that it works in, not only the one it was told', () => {
  const snapshot = busySnapshot();
  const shown = () =>
    shapeScreen(snapshot, FIRST_VIEW, context).sessions.map((row) => row.workspace);
  // An older daemon tells only what a session was told.
  expect(shown()).toEqual(['by folder', 'team']);
  snapshot.pulse!.sessions[0]!.resolvedWorkspace = 'orchard';
  expect(shown()).toEqual(['orchard', 'team']);
});

test('what a filter hides is counted', () => {
  const { counts, searches } = shapeScreen(
    busySnapshot(),
    { ...FIRST_VIEW, filter: 'apple' },
    context,
  );
  expect(searches.map((row) => row.id)).toEqual([3]);
  expect(counts).toEqual({ sessions: '0/2', searches: '1/3', index: '0/3', problems: '0/2' });
});

test('a polled root is told beside its catalog and among the facts, once', () => {
  const { catalogs, index } = shapeScreen(busySnapshot(), FIRST_VIEW, context);
  expect(catalogs.map((row) => [row.name, row.changes])).toEqual([
    ['orchard', 'watched'],
    ['shared', 'polled'],
    ['team', 'clone'],
  ]);
  const told = index.facts.filter((fact) => fact.value.includes('a network file system'));
  expect(told).toEqual([
    { label: 'polled', value: '/mnt/share/skills: a network file system', is_warning: true },
  ]);
});

test('indexing is shown as a share of all', () => {
  const { index } = shapeScreen(busySnapshot(), FIRST_VIEW, context);
  expect(index).toMatchObject({ is_indexing: true, progress: 25 });
});

test('without a daemon the picture says so, and what to do', () => {
  const { header, banner, sessions, empty } = shapeScreen(
    idleSnapshot('no answer'),
    FIRST_VIEW,
    context,
  );
  expect(header).toMatchObject({
    state: 'not running',
    is_up: false,
    facts: 'lectern daemon start',
  });
  expect(banner).toBe('no answer');
  expect(sessions).toEqual([]);
  expect(empty.sessions).toBe('waiting for the daemon');
});

test('a daemon that does not know metrics.get is shown without them', () => {
  const snapshot = busySnapshot();
  snapshot.pulse!.metrics = null;
  const { cards, searches, empty } = shapeScreen(snapshot, FIRST_VIEW, context);
  expect(cards.calls.value).toBe('–');
  expect(cards.memory.value).toBe('118 MiB');
  expect(searches).toEqual([]);
  expect(empty.searches).toMatch(/older than this command/);
});

test('seconds without calls leave gaps, no half-high line of zeros', () => {
  const { cards } = shapeScreen(busySnapshot(), FIRST_VIEW, context);
  expect(cards.calls.series.slice(-3)).toEqual([null, 3, 7]);
  expect(cards.calls.value).toBe('2.0/s');
});

test('a row that goes while it is looked at is said to be gone', () => {
  const view = { ...FIRST_VIEW, detail: { table: 'sessions', key: 77 } as const };
  const { detail } = shapeScreen(busySnapshot(), view, context);
  expect(detail).toMatchObject({ is_open: true, title: 'session 77', rows: [{ label: 'gone' }] });
});

test('a problem in full has its file, line and fix', () => {
  const view = { ...FIRST_VIEW, detail: { table: 'problems', key: 1 } as const };
  const { detail } = shapeScreen(busySnapshot(), view, context);
  expect(detail.rows.map((row) => row.value)).toEqual([
    'the description is longer than 1,024 characters',
    '~/orchard/pruning/skills/prune-tree/SKILL.md:3',
    'orchard',
    'pruning',
    'shorten it',
  ]);
});

test('the column that is sorted by is marked, with its direction', () => {
  const { sort } = shapeScreen(busySnapshot(), { ...FIRST_VIEW, sorts: FIRST_SORTS }, context);
  expect(sort['sessions']).toMatchObject({ calls: '▾', pid: '' });
  expect(sort['catalogs']).toMatchObject({ name: '▴' });
});

test('the newest readings and log lines are kept, each with a key of its own', () => {
  let history = NO_HISTORY;
  for (let i = 0; i < 500; i++) history = addReading(history, busySnapshot().pulse!);
  expect(history.rssBytes).toHaveLength(240);
  const lines = addLogLines(
    addLogLines([], ['first']),
    Array.from({ length: LOG_LINES_KEPT }, (_, i) => `line ${i}`),
  );
  expect(lines).toHaveLength(LOG_LINES_KEPT);
  expect(lines[0]).toMatchObject({ id: 2, text: 'line 0' });
  expect(new Set(lines.map((line) => line.id)).size).toBe(LOG_LINES_KEPT);
});

test('control characters of a log line are no commands to the terminal', () => {
  const [line] = addLogLines([], ['\u001b[31mred\u001b[0m']);
  expect(line!.text).not.toContain('\u001b');
});

test('the clock shows the moment of the reading', () => {
  expect(shapeScreen(busySnapshot(), FIRST_VIEW, context).header.clock).toBe('14:03:59');
  expect(busySnapshot().at).toBe(NOW);
});
