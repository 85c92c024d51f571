import type { Box } from '../frame/box.ts';
import { decideKey, type KeyPress } from '../frame/dispatch.ts';
import { eventOf } from '../frame/state.ts';
import { fired, type Move, move, NOTHING, type Outcome, runRow, scrollBy } from './actions.ts';
import type { App } from './app.ts';
import { requestFocus } from './focus-request.ts';
import { EDITS, editInput, insert, readInput } from './input-text.ts';

const LIST_MOVES: ReadonlyMap<string, Move> = new Map([
  ['up', 'prev'],
  ['down', 'next'],
  ['home', 'first'],
  ['end', 'last'],
  ['pgup', 'page-up'],
  ['pgdn', 'page-down'],
]);

/** Handles one key on the live frame (G-153). */
export function applyKey(app: App, key: KeyPress): Outcome {
  const scene = app.frame?.scene;
  const decision = scene ? decideKey(scene, key) : null;
  if (!scene || !decision) return NOTHING;
  switch (decision.kind) {
    case 'escape':
      return fired(eventOf(decision.modal.source!, 'escape'));
    case 'widget':
      return applyToWidget(app, decision.box, key);
    case 'row':
      return runRow(app, decision.row);
    case 'cycle':
      return fired(cycleFocus(app, decision.isBackward));
    case 'quit': {
      const source = scene.focused?.id ?? '';
      return fired([{ action: 'quit', source, keys: new Map(), value: null }]);
    }
  }
}

function cycleFocus(app: App, isBackward: boolean) {
  const { cycle } = app.frame!.scene;
  if (cycle.length === 0) return [];
  const at = cycle.findIndex((box) => box.id === app.state.focus);
  const next = at < 0 ? (isBackward ? cycle.length - 1 : 0) : at + (isBackward ? -1 : 1);
  return requestFocus(app, cycle[(next + cycle.length) % cycle.length]!.id!);
}

/** Keys a focused widget takes itself (G-116). */
function applyToWidget(app: App, box: Box, key: KeyPress): Outcome {
  if (box.kind === 'input') return applyToInput(app, box, key);
  if (box.rows) return move(app, box, LIST_MOVES.get(key.token)!);
  if (key.token === 'enter' || key.token === 'space') return fired(eventOf(box.source!, 'click'));
  if (box.tabs) return move(app, box, key.token === 'left' ? 'prev' : 'next');
  return scrollByKey(app, box, key.token);
}

function applyToInput(app: App, box: Box, { token, char }: KeyPress): Outcome {
  if (char !== null) return typeText(app, box, char);
  if (token === 'enter') {
    return fired(eventOf(box.source!, 'submit', new Map(), readInput(app, box).text));
  }
  const edit = EDITS.get(token);
  return edit ? editInput(app, box, edit) : NOTHING;
}

/** Inserts text into an input as one edit with one `on:change` (G-155). */
export function typeText(app: App, box: Box, text: string): Outcome {
  return text === '' ? NOTHING : editInput(app, box, insert(text));
}

function scrollByKey(app: App, box: Box, token: string): Outcome {
  const page = Math.max(1, box.ch);
  switch (token) {
    case 'up':
      return scrollBy(app, box, 'y', -1);
    case 'down':
      return scrollBy(app, box, 'y', 1);
    case 'left':
      return scrollBy(app, box, 'x', -1);
    case 'right':
      return scrollBy(app, box, 'x', 1);
    case 'pgup':
      return scrollBy(app, box, 'y', -page);
    case 'pgdn':
      return scrollBy(app, box, 'y', page);
    case 'home':
      return scrollBy(app, box, 'y', Number.NEGATIVE_INFINITY);
    case 'end':
      return scrollBy(app, box, 'y', Number.POSITIVE_INFINITY);
    default:
      return NOTHING;
  }
}
