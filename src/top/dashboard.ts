import type { JsonObject } from '../tui/data/value.ts';
import { type App, applyBatch, createApp, type LoadedDocument } from '../tui/index.ts';
import { NO_HISTORY } from './history.ts';
import { type ScreenContext, shapeScreen } from './screen.ts';
import type { Snapshot } from './snapshot.ts';
import { toStore } from './store.ts';
import { FIRST_VIEW, type ViewState } from './view-state.ts';

/** What no snapshot holds: who looks at it, and what the document writes itself. */
export const OWN_DATA = {
  is_live: true,
  tab: 'tab_sessions',
  filter: '',
  cursor: { sessions: null, searches: null, catalogs: null, problems: null },
};

/** A running document with the data of a snapshot. */
export function createDashboard(
  loaded: LoadedDocument,
  snapshot: Snapshot,
  context: Pick<ScreenContext, 'home' | 'ownPid'>,
  size: { cols: number; rows: number },
): App {
  const whole = { ...context, history: NO_HISTORY, log: [] };
  const data = toStore({ ...OWN_DATA, ...shapeScreen(snapshot, FIRST_VIEW, whole) }) as JsonObject;
  return createApp({ loaded, data, theme: null, strict: false, ...size });
}

/** Put the data of a snapshot into the running document; cursors, tab and focus stay. */
export function showSnapshot(
  app: App,
  snapshot: Snapshot,
  view: ViewState,
  context: ScreenContext,
): void {
  applyBatch(app, (write) => {
    for (const [path, value] of Object.entries(shapeScreen(snapshot, view, context))) {
      write(path, toStore(value));
    }
  });
}
