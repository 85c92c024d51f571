import type { TuiIo } from '../commands/io.ts';
import type { FiredEvent } from '../frame/state.ts';
import type { App } from '../interact/app.ts';
import { applyInputs, type Session, settle, startSession } from '../interact/play.ts';
import type { ColorDepth } from './ansi.ts';
import { ESCAPE_WAIT_MS, InputReader } from './reader.ts';
import { openTerminal } from './terminal.ts';
import { ASK_BACKGROUND, themeOfEnvironment, themeOfReply } from './theme.ts';

/** Why a live session ended (U-177). */
export type Ending =
  | { readonly reason: 'quit' | 'eof' }
  | { readonly reason: 'signal'; readonly signal: NodeJS.Signals; readonly number: number }
  | { readonly reason: 'error'; readonly error: string };

/** Signals that end a session, with their numbers: the exit code is 128 plus it. */
const SIGNALS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
];

/** A session on a terminal, for those who write into it from outside. */
export interface LiveSession {
  readonly app: App;
  /** After a write from outside: draw, dispatch, paint (G-197). */
  readonly refresh: () => void;
  readonly end: (ending: Ending) => void;
}

/**
 * Run an app on the terminal until it ends; the terminal is restored whatever happens.
 *
 * @param app a fresh app; its size is set to the terminal's
 * @param onEvent every action that fires, in order
 * @param onStart called when the first frame is up
 */
export async function runOnTerminal(
  app: App,
  io: TuiIo,
  depth: ColorDepth,
  onEvent: (event: FiredEvent) => void,
  onStart: (live: LiveSession) => void = () => undefined,
): Promise<Ending> {
  const terminal = openTerminal(io.stdin, io.stdout, depth);
  const closers: (() => void)[] = [() => terminal.close()];
  try {
    return await new Promise<Ending>((resolve) => {
      const { cols, rows } = terminal.size();
      app.resize(cols, rows);
      const forced = io.env['TUIMARK_THEME'];
      if (forced === 'dark' || forced === 'light') app.forcedTheme = forced;
      app.autoTheme = themeOfEnvironment(io.env);
      const session = startSession(app, onEvent);
      const refresh = () => {
        if (app.frame !== null) terminal.paint(app.frame);
        if (session.hasStopped) resolve({ reason: 'quit' });
      };
      const live: LiveSession = {
        app,
        refresh: () => {
          settle(session);
          refresh();
        },
        end: resolve,
      };
      closers.push(listen(io, session, terminal, refresh, resolve));
      refresh();
      onStart(live);
    });
  } catch (error) {
    return { reason: 'error', error: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const close of closers.reverse()) close();
  }
}

/** Keys, resizes and signals; returns what takes all listeners off again. */
function listen(
  io: TuiIo,
  session: Session,
  terminal: ReturnType<typeof openTerminal>,
  refresh: () => void,
  end: (ending: Ending) => void,
): () => void {
  const reader = new InputReader();
  let timer: NodeJS.Timeout | undefined;
  const guard = (part: () => void) => {
    try {
      part();
    } catch (error) {
      end({ reason: 'error', error: error instanceof Error ? error.message : String(error) });
    }
  };
  const apply = (inputs: ReturnType<InputReader['push']>) => {
    if (inputs.length === 0) return;
    applyInputs(session, inputs);
    settle(session);
    refresh();
  };
  const onData = (chunk: Uint8Array) =>
    guard(() => {
      clearTimeout(timer);
      const theme = themeOfReply(Buffer.from(chunk).toString('latin1'));
      if (theme !== null) {
        session.app.autoTheme = theme;
        settle(session);
        refresh();
      }
      apply(reader.push(chunk));
      if (reader.isWaiting)
        timer = setTimeout(() => guard(() => apply(reader.flush())), ESCAPE_WAIT_MS);
    });
  const onResize = () =>
    guard(() => {
      const { cols, rows } = terminal.size();
      session.app.resize(cols, rows);
      session.pending = null;
      settle(session);
      terminal.forget();
      refresh();
    });
  const onContinue = () =>
    guard(() => {
      terminal.forget();
      refresh();
    });
  const onEnd = () => end({ reason: 'eof' });
  io.stdin.on('data', onData);
  io.stdin.on('end', onEnd);
  io.stdin.on('error', onEnd);
  io.stdout.on('resize', onResize);
  process.on('SIGCONT', onContinue);
  const signals = SIGNALS.map(([signal, number]) => {
    const onSignal = () => end({ reason: 'signal', signal, number });
    process.on(signal, onSignal);
    return [signal, onSignal] as const;
  });
  io.stdin.resume();
  if (session.app.document.theme === 'auto') terminal.ask(ASK_BACKGROUND);
  return () => {
    clearTimeout(timer);
    io.stdin.off('data', onData);
    io.stdin.off('end', onEnd);
    io.stdin.off('error', onEnd);
    io.stdout.off('resize', onResize);
    process.off('SIGCONT', onContinue);
    for (const [signal, onSignal] of signals) process.off(signal, onSignal);
    io.stdin.pause();
  };
}

/** Exit code of an ending (U-177). */
export function exitCodeOf(ending: Ending): number {
  if (ending.reason === 'signal') return 128 + ending.number;
  return ending.reason === 'error' ? 1 : 0;
}
