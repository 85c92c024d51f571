import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDashboard, showSnapshot } from '../../src/top/dashboard.ts';
import { loadTopDocument } from '../../src/top/document.ts';
import { addReading, NO_HISTORY } from '../../src/top/history.ts';
import { addLogLines } from '../../src/top/log-lines.ts';
import type { Snapshot } from '../../src/top/snapshot.ts';
import { FIRST_VIEW, type ViewState } from '../../src/top/view-state.ts';
import { applyBatch, type Frame } from '../../src/tui/index.ts';
import { busySnapshot, idleSnapshot } from './fixture.ts';

const loaded = await loadTopDocument();
const who = { home: '/home/ada', ownPid: 1 };

const LOG = [
  '{"ts":"2026-03-14T14:03:00Z","level":"info","target":"daemon","msg":"listening"}',
  '{"ts":"2026-03-14T14:03:01Z","level":"error","target":"indexer","msg":"a file cannot be read"}',
  'no record at all',
];

function draw(
  snapshot: Snapshot,
  view: ViewState,
  tab: string,
  size: { cols: number; rows: number },
): Frame {
  const app = createDashboard(loaded, snapshot, who, size);
  const history = snapshot.pulse === null ? NO_HISTORY : addReading(NO_HISTORY, snapshot.pulse);
  showSnapshot(app, snapshot, view, { ...who, history, log: addLogLines([], LOG) });
  applyBatch(app, (write) => write('tab', tab));
  return app.draw();
}

const VIEWS: Record<string, Partial<ViewState>> = {
  plain: {},
  filtered: { filter: 'prune', isTyping: true },
  'nothing fits': { filter: 'zzz' },
  paused: { isPaused: true },
  helping: { isHelping: true },
  'a session in full': { detail: { table: 'sessions', key: 1 } },
  'a search in full': { detail: { table: 'searches', key: 1 } },
  'a catalog in full': { detail: { table: 'catalogs', key: 'team' } },
  'a problem in full': { detail: { table: 'problems', key: 1 } },
  'what is gone': { detail: { table: 'sessions', key: 999 } },
};

const MOMENTS: Record<string, () => Snapshot> = {
  busy: busySnapshot,
  'no daemon': () => idleSnapshot('the daemon is not running'),
  'no metrics': () => {
    const snapshot = busySnapshot();
    snapshot.pulse!.metrics = null;
    return snapshot;
  },
};

const TABS = ['tab_sessions', 'tab_searches', 'tab_index', 'tab_problems', 'tab_log'];

const anyFrame = fc.record({
  cols: fc.integer({ min: 20, max: 200 }),
  rows: fc.integer({ min: 6, max: 60 }),
  tab: fc.constantFrom(...TABS),
  view: fc.constantFrom(...Object.keys(VIEWS)),
  moment: fc.constantFrom(...Object.keys(MOMENTS)),
});

test('the document has no finding of its own', () => {
  expect(loaded.diagnostics).toEqual([]);
});

test('no frame between 20×6 and 200×60 has a diagnostic', () => {
  fc.assert(
    fc.property(anyFrame, ({ cols, rows, tab, view, moment }) => {
      const state = { ...FIRST_VIEW, ...VIEWS[view] };
      const frame = draw(MOMENTS[moment]!(), state, tab, { cols, rows });
      expect(frame.diagnostics).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test.each([
  [20, 6],
  [20, 60],
  [80, 24],
  [120, 40],
  [140, 24],
  [200, 6],
  [200, 50],
  [200, 60],
])('every view is free of diagnostics at %i×%i', (cols, rows) => {
  for (const tab of TABS) {
    for (const view of Object.values(VIEWS)) {
      const frame = draw(busySnapshot(), { ...FIRST_VIEW, ...view }, tab, { cols, rows });
      expect(frame.diagnostics, `${tab} ${JSON.stringify(view)}`).toEqual([]);
    }
  }
});
