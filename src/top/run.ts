import { setTimeout as pause } from 'node:timers/promises';
import { followFile, readLastLines } from '../cli/follow-file.ts';
import { LecternError } from '../core/errors.ts';
import type { TuiIo } from '../tui/commands/io.ts';
import type { FiredEvent } from '../tui/frame/state.ts';
import { type App, applyBatch, getPath } from '../tui/index.ts';
import type { ColorDepth } from '../tui/run/ansi.ts';
import { exitCodeOf, type LiveSession, runOnTerminal } from '../tui/run/session.ts';
import { createDashboard, showSnapshot } from './dashboard.ts';
import { loadTopDocument } from './document.ts';
import type { Feed } from './feed.ts';
import { addReading, NO_HISTORY } from './history.ts';
import { addLogLines, LOG_LINES_KEPT, type LogLine } from './log-lines.ts';
import { FIRST_VIEW, react, type TopAction } from './view-state.ts';

/** A daemon answers within this; a stuck one must not keep the first frame back. */
const FIRST_ANSWER_MS = 300;

export interface TopOptions {
  feed: Feed;
  io: TuiIo;
  depth: ColorDepth;
  /** The daemon's log; followed whether there is a daemon or not. */
  logFile: string;
  home: string;
  /** From the end of one reading to the next. */
  intervalMs: number;
}

/**
 * The live dashboard, until it is quit. The terminal is restored on every way
 * out.
 *
 * @returns the exit code: 0, or 128 plus the signal that ended it
 * @throws LecternError internal when the dashboard itself fails
 */
export async function runTop(options: TopOptions): Promise<number> {
  const { feed, io, home } = options;
  const ended = new AbortController();
  const who = { home, ownPid: process.pid };
  const loaded = await loadTopDocument();
  await Promise.race([feed.refresh(), pause(FIRST_ANSWER_MS, undefined, { ref: false })]);

  let shown = feed.snapshot;
  let view = FIRST_VIEW;
  let history = shown.pulse === null ? NO_HISTORY : addReading(NO_HISTORY, shown.pulse);
  let log: LogLine[] = [];
  const app = createDashboard(loaded, shown, who, { cols: 80, rows: 24 });
  const show = () => showSnapshot(app, shown, view, { ...who, history, log });

  const act = (event: FiredEvent) => {
    const wasPaused = view.isPaused;
    const reaction = react(view, readAction(app, event));
    view = reaction.view;
    if (wasPaused && !view.isPaused) shown = feed.snapshot;
    applyBatch(app, (write) => {
      for (const [path, value] of Object.entries(reaction.writes)) write(path, value);
    });
    show();
  };

  const watch = async (live: LiveSession) => {
    while (!ended.signal.aborted) {
      await feed.refresh();
      const { pulse } = feed.snapshot;
      if (pulse !== null) history = addReading(history, pulse);
      if (!view.isPaused && !ended.signal.aborted) {
        shown = feed.snapshot;
        show();
        live.refresh();
      }
      await pause(options.intervalMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  };

  const readLog = async (live: LiveSession) => {
    log = addLogLines(log, await readLastLines(options.logFile, LOG_LINES_KEPT));
    await followFile(
      options.logFile,
      (line) => {
        log = addLogLines(log, [line]);
        if (view.isPaused || ended.signal.aborted) return;
        show();
        live.refresh();
      },
      ended.signal,
    );
  };

  let work: Promise<unknown> = Promise.resolve();
  const ending = await runOnTerminal(app, io, options.depth, act, (live) => {
    const fail = (error: unknown) => live.end({ reason: 'error', error: String(error) });
    work = Promise.all([watch(live), readLog(live)]).catch(fail);
  });
  ended.abort();
  feed.close();
  await work;
  if (ending.reason === 'error') throw new LecternError('internal', `top: ${ending.error}`);
  return exitCodeOf(ending);
}

/** What an event of the document means to the dashboard. */
export function readAction(app: App, { action, keys, value }: FiredEvent): TopAction {
  const tab = getPath(app, 'tab');
  const [key] = [...new Map(keys).values()];
  return {
    name: action,
    tab: typeof tab === 'string' ? tab : '',
    key: typeof key === 'number' || typeof key === 'string' ? key : null,
    text: typeof value === 'string' ? value : null,
  };
}
