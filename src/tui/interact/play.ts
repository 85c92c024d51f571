import type { JsonObject, JsonValue } from '../data/value.ts';
import { type KeyPress, pressOf } from '../frame/dispatch.ts';
import type { Frame } from '../frame/frame.ts';
import type { FiredEvent } from '../frame/state.ts';
import type { PlayStep } from '../steps/types.ts';
import type { Outcome } from './actions.ts';
import type { App } from './app.ts';
import { decodeInput, type TerminalInput } from './decode.ts';
import { applyKey, typeText } from './keys.ts';
import { click, hitIdentity, type PendingPress, wheel } from './mouse.ts';
import { normalisePaste } from './paste.ts';
import { setPath } from './set.ts';

/** One recorded event (G-181). */
export interface PlayEvent {
  readonly step: number;
  readonly action: string;
  /** `''` when none. */
  readonly source: string;
  readonly keys: JsonObject;
  readonly value: JsonValue;
}

/** The frame after a step; step 0 has the input `''`. */
export interface PlayFrame {
  readonly step: number;
  readonly input: string;
  readonly frame: Frame;
  readonly events: readonly PlayEvent[];
}

export type PlayResult = {
  readonly frame: Frame;
  readonly frames: readonly PlayFrame[];
  readonly events: readonly PlayEvent[];
};

export interface PlayFailure {
  /** 1-based. */
  readonly failedStep: number;
  readonly reason: string;
}

/** Rounds of one dispatch; events taken in the last one are lost (G-172). */
const DISPATCH_ROUNDS = 8;

/** A running session: what a live terminal drives too. */
export interface Session {
  readonly app: App;
  readonly onEvent: (event: FiredEvent) => void;
  pending: PendingPress;
  /** A `quit` was recorded: nothing more is applied or drawn. */
  hasStopped: boolean;
}

/** Starts a session: the first frame, and what it fires (G-172 step 1). */
export function startSession(app: App, onEvent: (event: FiredEvent) => void): Session {
  const session: Session = { app, onEvent, pending: null, hasStopped: false };
  settle(session);
  return session;
}

/** Draws, then dispatches what the frame queued. */
export function settle(session: Session): void {
  if (session.hasStopped) return;
  session.app.draw();
  dispatch(session, takeQueued(session.app));
}

function takeQueued(app: App): FiredEvent[] {
  const events = app.state.queued;
  app.state.queued = [];
  return events;
}

function dispatch(session: Session, first: readonly FiredEvent[]): void {
  let events = first;
  for (let round = 0; round < DISPATCH_ROUNDS; round++) {
    for (const event of events) {
      session.onEvent(event);
      if (event.action === 'quit') {
        session.hasStopped = true;
        return;
      }
    }
    events = takeQueued(session.app);
    if (events.length === 0) return;
    session.app.draw();
  }
}

/** Handles one input and draws when the next key must see what it did (G-172 step 4). */
function finish(session: Session, focusBefore: string | null, outcome: Outcome): void {
  const { app } = session;
  dispatch(session, outcome.events);
  if (session.hasStopped) return;
  const hasMoved = app.state.focus !== focusBefore || app.state.request !== null;
  const shows = outcome.hasChanged && app.document.version >= 2;
  if (outcome.events.length > 0 || hasMoved || shows) app.draw();
}

function apply(session: Session, run: () => Outcome): void {
  if (session.hasStopped) return;
  const { focus } = session.app.state;
  finish(session, focus, run());
}

/** Applies decoded terminal input in order; printable keys into an input are one edit. */
export function applyInputs(session: Session, inputs: readonly TerminalInput[]): void {
  for (let at = 0; at < inputs.length && !session.hasStopped; ) at = applyNext(session, inputs, at);
}

function applyNext(session: Session, inputs: readonly TerminalInput[], at: number): number {
  const input = inputs[at]!;
  if (input.kind === 'key') {
    const run = printableRun(session, inputs, at);
    if (run) return run;
    apply(session, () => applyKey(session.app, input.press));
  } else if (input.kind === 'paste') {
    applyPaste(session, input.text);
  } else {
    applyMouse(session, input.kind, input.x, input.y);
  }
  return at + 1;
}

/** Types a run of printable keys into the focused input; returns where it ends, or 0 without one. */
function printableRun(session: Session, inputs: readonly TerminalInput[], start: number): number {
  const scene = session.app.frame?.scene;
  const box = scene?.focused;
  if (box?.kind !== 'input' || box.isDisabled) return 0;
  let text = '';
  let at = start;
  for (; at < inputs.length; at++) {
    const input = inputs[at]!;
    if (input.kind === 'key') {
      if (input.press.char === null) break;
      text += input.press.char;
    } else if (input.kind === 'paste' || session.app.frame?.hasMouse) {
      break;
    } else {
      // With the mouse off a report is dropped, and the run goes on (G-172 step 5).
      session.pending = null;
    }
  }
  if (text === '') return 0;
  apply(session, () => typeText(session.app, box, text));
  return at;
}

export function applyPaste(session: Session, text: string): void {
  const box = session.app.frame?.scene.focused;
  if (box?.kind !== 'input' || box.isDisabled) return;
  apply(session, () => typeText(session.app, box, normalisePaste(text)));
}

/** One mouse event (G-164, G-167); with the mouse off it is dropped and ends a pending press. */
export function applyMouse(
  session: Session,
  kind: 'press' | 'release' | 'wheel-up' | 'wheel-down',
  x: number,
  y: number,
): void {
  const { app } = session;
  const { frame } = app;
  if (!frame?.hasMouse) {
    session.pending = null;
    return;
  }
  if (kind === 'press') {
    session.pending = hitIdentity(frame, x, y);
  } else if (kind === 'release') {
    const { pending } = session;
    session.pending = null;
    if (pending !== null && pending === hitIdentity(frame, x, y))
      apply(session, () => click(app, x, y));
  } else {
    apply(session, () => wheel(app, x, y, kind === 'wheel-up' ? 'up' : 'down'));
  }
}

export function applyPress(session: Session, press: KeyPress): void {
  applyInputs(session, [{ kind: 'key', press }]);
}

/** `ctrl+i`, `ctrl+j` and `ctrl+m` arrive as the keys a terminal sends for them (G-171). */
const ARRIVES_AS: Readonly<Record<string, string>> = {
  'ctrl+i': 'tab',
  'ctrl+j': 'enter',
  'ctrl+m': 'enter',
};

/** Applies one step; returns why it cannot be applied, else null. */
export function applyStep(session: Session, step: PlayStep): string | null {
  const { app } = session;
  switch (step.kind) {
    case 'key':
      applyPress(session, pressOf(ARRIVES_AS[step.key] ?? step.key));
      return null;
    case 'text':
      applyInputs(session, decodeInput(step.text));
      return null;
    case 'paste':
      applyPaste(session, step.text);
      return null;
    case 'set':
      return setPath(app, step.path, step.value);
    case 'focus':
      return setPath(app, '@focus', step.id);
    case 'resize':
      app.resize(step.cols, step.rows);
      session.pending = null;
      return null;
    case 'click':
    case 'wheel':
      return applyPointer(session, step);
  }
}

function applyPointer(
  session: Session,
  step: PlayStep & { kind: 'click' | 'wheel' },
): string | null {
  const { cols, rows } = session.app;
  const { x, y } = step;
  if (x < 0 || y < 0 || x >= cols || y >= rows) {
    return `cell ${x},${y} is outside the ${cols}x${rows} grid`;
  }
  if (step.kind === 'click') {
    applyMouse(session, 'press', x, y);
    applyMouse(session, 'release', x, y);
  } else {
    applyMouse(session, step.direction === 'up' ? 'wheel-up' : 'wheel-down', x, y);
  }
  return null;
}

/** Drives an app through steps without a terminal (G-170…G-175). */
export function runPlay(app: App, steps: readonly PlayStep[]): PlayResult | PlayFailure {
  const events: PlayEvent[] = [];
  const frames: PlayFrame[] = [];
  let number = 0;
  const record = ({ action, source, keys, value }: FiredEvent) => {
    events.push({ step: number, action, source, keys: new Map(keys), value });
  };
  const keep = (input: string) => {
    const own = events.filter((event) => event.step === number);
    frames.push({ step: number, input, frame: app.frame!, events: own });
  };
  const session = startSession(app, record);
  keep('');
  for (const step of steps) {
    if (session.hasStopped) break;
    number++;
    const reason = applyStep(session, step);
    if (reason !== null) return { failedStep: number, reason };
    settle(session);
    keep(step.written);
  }
  return { frame: app.frame!, frames, events };
}
