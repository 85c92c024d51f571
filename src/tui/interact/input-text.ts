import { resolvePath } from '../data/scope.ts';
import type { Box } from '../frame/box.ts';
import { eventOf, type FiredEvent } from '../frame/state.ts';
import { formatValue } from '../template/format.ts';
import { segment } from '../text/graphemes.ts';
import type { App } from './app.ts';
import { writePath } from './write.ts';

/** Text of an input and its cursor, in code points (G-138). */
export interface InputText {
  readonly text: string;
  readonly caret: number;
}

/** An edit of an input's text; `caret` counts code points (G-155). */
export type Edit = (input: InputText) => InputText;

/** The text as it is now, which a key of this step may have changed since the last frame. */
export function readInput(app: App, box: Box): InputText {
  const node = box.source!;
  const { store, texts, carets } = app.state;
  const value = node.bind ? resolvePath(node.bind, { store, alias: null }) : undefined;
  const text = node.bind
    ? value === undefined
      ? ''
      : formatValue(value)
    : (texts.get(box.id ?? '') ?? '');
  const length = [...text].length;
  return { text, caret: Math.min(carets.get(box.id ?? '') ?? length, length) };
}

/** Applies an edit; `on:change` fires when the text became another one. */
export function editInput(
  app: App,
  box: Box,
  edit: Edit,
): { events: FiredEvent[]; hasChanged: boolean } {
  const before = readInput(app, box);
  const after = edit(before);
  const id = box.id ?? '';
  if (after.text !== before.text) {
    const node = box.source!;
    if (node.bind) {
      if (!writePath(app, node.bind.source, after.text)) return { events: [], hasChanged: false };
    } else {
      app.state.texts.set(id, after.text);
    }
  }
  app.state.carets.set(id, after.caret);
  const hasText = after.text !== before.text;
  return {
    events: hasText ? eventOf(box.source!, 'change', new Map(), after.text) : [],
    hasChanged: hasText || after.caret !== before.caret,
  };
}

/** Code-point indexes of the cluster boundaries, 0 and the end included. */
function boundaries(text: string): number[] {
  const found = [0];
  for (const cluster of segment(text)) found.push(found.at(-1)! + [...cluster.text].length);
  return found;
}

function sliceAt(text: string, from: number, to: number): [string, string] {
  const points = [...text];
  return [points.slice(0, from).join(''), points.slice(to).join('')];
}

/** The boundary at or after a caret: inside a cluster counts as after it. */
function settle(text: string, caret: number): number {
  return boundaries(text).find((at) => at >= caret) ?? [...text].length;
}

export function insert(addition: string): Edit {
  return ({ text, caret }) => {
    const at = settle(text, caret);
    const [before, after] = sliceAt(text, at, at);
    const whole = before + addition + after;
    return { text: whole, caret: settle(whole, at + [...addition].length) };
  };
}

/** Edits by key token; keys that are not here do not edit. */
export const EDITS: ReadonlyMap<string, Edit> = new Map<string, Edit>([
  ['backspace', eraseBefore],
  ['ctrl+h', eraseBefore],
  ['ctrl+u', () => ({ text: '', caret: 0 })],
  ['left', (input) => ({ ...input, caret: previous(input) })],
  ['right', (input) => ({ ...input, caret: next(input) })],
  ['home', (input) => ({ ...input, caret: 0 })],
  ['ctrl+a', (input) => ({ ...input, caret: 0 })],
  ['end', (input) => ({ ...input, caret: [...input.text].length })],
  ['ctrl+e', (input) => ({ ...input, caret: [...input.text].length })],
]);

function eraseBefore(input: InputText): InputText {
  const end = settle(input.text, input.caret);
  const start = previous(input);
  if (start === end) return { text: input.text, caret: end };
  const [before, after] = sliceAt(input.text, start, end);
  return { text: before + after, caret: start };
}

function previous({ text, caret }: InputText): number {
  const at = settle(text, caret);
  return boundaries(text).findLast((boundary) => boundary < at) ?? 0;
}

function next({ text, caret }: InputText): number {
  const at = settle(text, caret);
  return boundaries(text).find((boundary) => boundary > at) ?? at;
}
