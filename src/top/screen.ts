import { shapeCards } from './cards.ts';
import {
  COLUMN_NAMES,
  catalogColumns,
  problemColumns,
  searchColumns,
  sessionColumns,
  sortRows,
  type TableName,
} from './columns.ts';
import { shapeDetail } from './detail.ts';
import { HELP } from './help.ts';
import type { History } from './history.ts';
import { indexProgress, shapeIndexFacts } from './index-facts.ts';
import type { LogLine } from './log-lines.ts';
import { clockTime, shortAge, shortCount } from './numbers.ts';
import {
  filterRows,
  joinPolled,
  shapeCatalog,
  shapeProblem,
  shapeSearch,
  shapeSession,
  withTilde,
} from './rows.ts';
import type { Pulse, Snapshot } from './snapshot.ts';
import type { ViewState } from './view-state.ts';

/** Searches in the side panel; a screen of the largest terminals. */
const RECENT_SHOWN = 40;

/** Everything around the snapshot that a frame depends on. */
export interface ScreenContext {
  history: History;
  log: readonly LogLine[];
  /** The home directory, written `~`; empty when there is none. */
  home: string;
  /** This process: what it asks is no work of the daemon's. */
  ownPid: number;
}

/**
 * The document's data for one frame: every path that top.tui names, but for
 * those that the document itself writes (`tab`, `cursor`, `filter`).
 */
export function shapeScreen(snapshot: Snapshot, view: ViewState, context: ScreenContext) {
  const { pulse, standing, at } = snapshot;
  const { home, history } = context;
  const { filter } = view;
  const others = (pulse?.sessions ?? []).filter((session) => session.pid !== context.ownPid);
  const searches = pulse?.metrics?.searches ?? [];
  const catalogs = joinPolled(standing?.status.catalogs ?? [], pulse?.metrics?.polled ?? []);
  const problems = (standing?.problems ?? []).map((problem, at) => ({ ...problem, id: at + 1 }));
  const progress = indexProgress(standing?.status);

  const rows = {
    sessions: filterRows(
      sortRows(others, sessionColumns, view.sorts.sessions).map((row) => shapeSession(row, home)),
      filter,
    ),
    searches: filterRows(
      sortRows(searches, searchColumns, view.sorts.searches).map(shapeSearch),
      filter,
    ),
    catalogs: filterRows(
      sortRows(catalogs, catalogColumns, view.sorts.catalogs).map((row) => shapeCatalog(row, home)),
      filter,
    ),
    problems: filterRows(
      sortRows(problems, problemColumns, view.sorts.problems).map((row) => shapeProblem(row, home)),
      filter,
    ),
    log: filterRows(
      context.log.map((line) => ({ ...line })),
      filter,
    ),
  };
  const detail =
    view.detail === null ? null : shapeDetail(view.detail.table, view.detail.key, snapshot, home);

  return {
    header: shapeHeader(pulse, view, at, home),
    banner: snapshot.failure ?? '',
    cards: shapeCards(pulse, history),
    sort: shapeArrows(view),
    counts: {
      sessions: shownOf(rows.sessions.length, others.length),
      searches: shownOf(rows.searches.length, searches.length),
      index: shownOf(rows.catalogs.length, catalogs.length),
      problems: shownOf(rows.problems.length, problems.length),
    },
    empty: shapeEmpty(snapshot, filter, rows.log.length),
    ...rows,
    recent: searches.slice(0, RECENT_SHOWN).map(shapeSearch),
    index: {
      facts: shapeIndexFacts(standing, pulse, home, at),
      is_indexing: progress !== null,
      progress: progress ?? 0,
    },
    detail: { is_open: detail !== null, title: detail?.title ?? '', rows: detail?.rows ?? [] },
    help: HELP,
    is_helping: view.isHelping,
    is_filtering: view.isTyping || filter !== '',
    mouse: view.hasMouse,
  };
}

function shapeHeader(pulse: Pulse | null, view: ViewState, at: number, home: string) {
  const clock = clockTime(at);
  if (pulse === null) {
    return {
      state: 'not running',
      is_up: false,
      is_paused: view.isPaused,
      facts: 'lectern daemon start',
      clock,
    };
  }
  const { daemon } = pulse;
  const state = daemon.isRetiring ? 'about to stop' : 'running';
  const http = daemon.http?.url == null ? [] : [`http ${daemon.http.url}`];
  return {
    state: view.isPaused ? 'paused' : state,
    is_up: !daemon.isRetiring,
    is_paused: view.isPaused,
    facts: [
      `up ${shortAge(daemon.uptimeMs)}`,
      `pid ${daemon.pid}`,
      `lectern ${daemon.version}`,
      withTilde(daemon.stateRoot, home),
      ...http,
    ].join(' · '),
    clock,
  };
}

/** For every column the mark that its title ends with: which one is sorted by, and which way. */
function shapeArrows(view: ViewState): Record<string, Record<string, string>> {
  return Object.fromEntries(
    Object.entries(COLUMN_NAMES).map(([table, names]) => {
      const { by, isDescending } = view.sorts[table as TableName];
      const arrow = isDescending ? '▾' : '▴';
      return [table, Object.fromEntries(names.map((name) => [name, name === by ? arrow : '']))];
    }),
  );
}

/** What stands where there are no rows: why, and what to do. */
function shapeEmpty({ pulse, standing }: Snapshot, filter: string, logLines: number) {
  const unless = (isKnown: boolean, what: string) => {
    if (!isKnown) return 'waiting for the daemon';
    return filter === '' ? what : 'nothing fits the filter';
  };
  const searches =
    pulse?.metrics === null
      ? 'this daemon is older than this command: lectern daemon restart'
      : 'no searches since the daemon began';
  return {
    sessions: unless(pulse !== null, 'no agent is connected'),
    searches: unless(pulse !== null, searches),
    recent: (pulse?.metrics?.searches.length ?? 0) > 0 ? '' : unless(pulse !== null, searches),
    catalogs: unless(standing !== null, 'nothing is enrolled: lectern catalog add'),
    problems: unless(standing !== null, 'no problems'),
    log: logLines > 0 ? '' : unless(true, 'nothing is logged yet'),
  };
}

function shownOf(shown: number, all: number): string {
  return shown === all ? shortCount(all) : `${shortCount(shown)}/${shortCount(all)}`;
}
