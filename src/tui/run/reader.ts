import { decodeInput, type TerminalInput } from '../interact/decode.ts';

/** How long a lone ESC waits for the rest of a sequence (G-197). */
export const ESCAPE_WAIT_MS = 25;
const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** Longest CSI and string sequence, and paste, that is waited for (U-232). */
const MAX_CSI = 256;
const MAX_STRING = 4096;
const MAX_PASTE = 2 * 1024 * 1024;

/**
 * Cuts terminal reads into whole sequences: what may still grow is held back until it is complete,
 * too long, or the caller's timer says that nothing more comes.
 */
export class InputReader {
  #held = '';
  readonly #decoder = new TextDecoder('utf-8');

  /** Inputs that are complete after this read. */
  push(chunk: Uint8Array): TerminalInput[] {
    const text = this.#held + this.#decoder.decode(chunk, { stream: true });
    const cut = completeLength(text);
    this.#held = text.slice(cut);
    return decodeInput(text.slice(0, cut));
  }

  /** True while something is held back. */
  get isWaiting(): boolean {
    return this.#held !== '';
  }

  /** Nothing more came: a lone ESC is the key, and an unfinished sequence is dropped (G-174). */
  flush(): TerminalInput[] {
    const text = this.#held;
    // A paste goes on whatever its pauses are.
    if (text.startsWith(PASTE_START)) return [];
    this.#held = '';
    return decodeInput(text);
  }
}

/** Length of the part that no later byte can change. */
function completeLength(text: string): number {
  const paste = text.lastIndexOf(PASTE_START);
  if (paste >= 0 && text.indexOf(PASTE_END, paste) < 0) {
    return text.length - paste > MAX_PASTE ? text.length : paste;
  }
  // String sequences may hold an ESC of their own (the terminator's), so look from their start.
  for (let at = text.indexOf('\u001b'); at >= 0; ) {
    const end = sequenceEnd(text, at);
    if (end < 0) return isOverlong(text, at) ? text.length : at;
    at = text.indexOf('\u001b', end);
  }
  return text.length;
}

/** End of the escape sequence at `at`, or -1 when more may come. */
function sequenceEnd(text: string, at: number): number {
  const kind = text[at + 1];
  if (kind === undefined) return -1;
  if (kind === '[') return csiEnd(text, at + 2);
  if (kind === 'O') return at + 2 < text.length ? at + 3 : -1;
  if (']PX^_'.includes(kind)) return stringEnd(text, at + 2, kind === ']');
  return at + 1;
}

function csiEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at]! >= ' ' && text[at]! <= '?') at++;
  if (at >= text.length) return -1;
  // An X10 mouse report takes three more bytes.
  if (text[at] === 'M' && at === from) return at + 4 <= text.length ? at + 4 : -1;
  return at + 1;
}

function stringEnd(text: string, from: number, endsAtBell: boolean): number {
  for (let at = from; at < text.length; at++) {
    if (endsAtBell && text[at] === '\u0007') return at + 1;
    if (text[at] === '\u001b' && text[at + 1] === '\\') return at + 2;
  }
  return -1;
}

function isOverlong(text: string, at: number): boolean {
  const limit = text[at + 1] === '[' ? MAX_CSI : MAX_STRING;
  return text.length - at > limit;
}
