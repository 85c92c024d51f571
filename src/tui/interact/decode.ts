import type { KeyPress } from '../frame/dispatch.ts';

/** One part of terminal input (G-174). Cells are 0-based. */
export type TerminalInput =
  | { readonly kind: 'key'; readonly press: KeyPress }
  | { readonly kind: 'paste'; readonly text: string }
  | {
      readonly kind: 'press' | 'release' | 'wheel-up' | 'wheel-down';
      readonly x: number;
      readonly y: number;
    };

/** Longest CSI that means something (U-232); string sequences never do, whatever their length. */
const MAX_CSI = 256;

/** Most digits of a mouse coordinate (U-232). */
const MAX_MOUSE_DIGITS = 9;

const PASTE_END = '\x1b[201~';

const LETTERS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
};
const TILDES: Readonly<Record<string, string>> = {
  '1': 'home',
  '7': 'home',
  '4': 'end',
  '8': 'end',
  '5': 'pgup',
  '6': 'pgdn',
  '3': 'delete',
};

interface Step {
  readonly input: TerminalInput | null;
  readonly end: number;
}

/** Decodes one terminal read; an incomplete sequence at its end is dropped (U-187). */
export function decodeInput(text: string): TerminalInput[] {
  const inputs: TerminalInput[] = [];
  for (let at = 0; at < text.length; ) {
    const step = decodeOne(text, at);
    if (step.input) inputs.push(step.input);
    at = step.end;
  }
  return inputs;
}

function key(token: string, char: string | null = null): TerminalInput {
  return { kind: 'key', press: { token, char } };
}

function decodeOne(text: string, at: number): Step {
  const point = text.codePointAt(at)!;
  if (point === 0x1b) return decodeEscape(text, at);
  const char = String.fromCodePoint(point);
  const end = at + char.length;
  // A lone surrogate stands for bytes that are not UTF-8.
  if (point === 0 || (point >= 0xd800 && point <= 0xdfff)) return { input: null, end };
  if (point === 0x0d || point === 0x0a) return { input: key('enter'), end };
  if (point === 0x09) return { input: key('tab'), end };
  if (point === 0x7f) return { input: key('backspace'), end };
  if (point < 0x1b) return { input: key(`ctrl+${String.fromCharCode(point + 0x60)}`), end };
  if (point < 0x20) return { input: null, end };
  if (char === ' ') return { input: key('space', ' '), end };
  return { input: key(point < 0x80 ? char : '', char), end };
}

function decodeEscape(text: string, at: number): Step {
  const next = text[at + 1];
  switch (next) {
    case '[':
      return decodeCsi(text, at);
    case 'O': {
      const letter = LETTERS[text[at + 2] ?? ''];
      return { input: letter ? key(letter) : null, end: at + 3 };
    }
    case ']':
      return { input: null, end: stringEnd(text, at + 2, true) };
    case 'P':
    case 'X':
    case '^':
    case '_':
      return { input: null, end: stringEnd(text, at + 2, false) };
    default:
      return { input: key('esc'), end: at + 1 };
  }
}

/** End of an OSC (BEL or ST) or of a DCS, SOS, PM or APC (ST only). */
function stringEnd(text: string, from: number, endsAtBell: boolean): number {
  for (let at = from; at < text.length; at++) {
    if (endsAtBell && text[at] === '\x07') return at + 1;
    if (text[at] === '\x1b' && text[at + 1] === '\\') return at + 2;
  }
  return text.length;
}

function decodeCsi(text: string, start: number): Step {
  let at = start + 2;
  while (at < text.length && text[at]! >= ' ' && text[at]! <= '?') at++;
  if (at >= text.length) return { input: null, end: text.length };
  const final = text[at]!;
  // A byte that cannot continue the sequence breaks it off and stands for itself.
  if (final < '@' || final > '~') return { input: null, end: at };
  const parameters = text.slice(start + 2, at);
  const end = at + 1;
  if (end - start > MAX_CSI) return { input: null, end };
  if (final === 'M' && parameters === '') return { input: null, end: end + 3 };
  if (parameters.startsWith('<') && (final === 'M' || final === 'm')) {
    return { input: decodeMouse(parameters.slice(1), final), end };
  }
  if (/^[?<=>]/.test(parameters)) return { input: null, end };
  if (final === '~') {
    if (parameters === '200') return decodePaste(text, end);
    const token = TILDES[parameters.split(';')[0]!];
    return { input: token ? key(token) : null, end };
  }
  if (final === 'Z') return { input: key('shift+tab'), end };
  const token = LETTERS[final];
  return { input: token ? key(token) : null, end };
}

function decodePaste(text: string, from: number): Step {
  const end = text.indexOf(PASTE_END, from);
  if (end < 0) return { input: null, end: text.length };
  return { input: { kind: 'paste', text: text.slice(from, end) }, end: end + PASTE_END.length };
}

/** An SGR report `b;x;y`, 1-based; modifier bits 4, 8 and 16 are ignored. */
function decodeMouse(parameters: string, final: string): TerminalInput | null {
  const match = /^([0-9]+);([0-9]+);([0-9]+)$/.exec(parameters);
  if (!match || match.slice(1).some((digits) => digits.length > MAX_MOUSE_DIGITS)) return null;
  const button = Number(match[1]) & ~(4 | 8 | 16);
  const cell = { x: Number(match[2]) - 1, y: Number(match[3]) - 1 };
  if (button === 0) return { kind: final === 'M' ? 'press' : 'release', ...cell };
  if (final !== 'M') return null;
  if (button === 64) return { kind: 'wheel-up', ...cell };
  return button === 65 ? { kind: 'wheel-down', ...cell } : null;
}
