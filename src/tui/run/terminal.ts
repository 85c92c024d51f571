import { writeSync } from 'node:fs';
import type { Input, Output } from '../commands/io.ts';
import type { Frame } from '../frame/frame.ts';
import { type ColorDepth, paintRows } from './ansi.ts';

/** Alternate screen, no wrapping at the margin, bracketed paste, cursor hidden. */
const ENTER = '\u001b[?1049h\u001b[?7l\u001b[?2004h\u001b[?25l\u001b[2J';
/** Everything back, mouse included, whatever was on. */
const LEAVE = '\u001b[?1006l\u001b[?1000l\u001b[?2004l\u001b[?7h\u001b[0m\u001b[?25h\u001b[?1049l';
const MOUSE_ON = '\u001b[?1000h\u001b[?1006h';
const MOUSE_OFF = '\u001b[?1006l\u001b[?1000l';
/** A frame is never larger than the tools draw (U-232). */
const MAX_SIDE = 1000;

/** The terminal of a live session: entered once, restored on every way out. */
export interface Terminal {
  readonly size: () => { readonly cols: number; readonly rows: number };
  /** Paint what changed since the last frame. */
  readonly paint: (frame: Frame) => void;
  /** Paint everything next time: the screen may hold anything. */
  readonly forget: () => void;
  /** Write a query to the terminal. */
  readonly ask: (sequence: string) => void;
  readonly close: () => void;
}

/**
 * Take the terminal: raw mode and the alternate screen. It is given back by `close` and, for ends
 * that do not pass through it (a crash, `process.exit`), when the process exits.
 */
export function openTerminal(input: Input, output: Output, depth: ColorDepth): Terminal {
  let isOpen = true;
  let painted: string[] = [];
  let hasMouse = false;
  const write = (text: string) => {
    if (isOpen) output.write(text, () => undefined);
  };
  const restore = () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      input.setRawMode?.(false);
    } catch {
      // The terminal has hung up: there is nothing left to restore.
    }
    restoreScreen(output);
  };
  process.on('exit', restore);
  input.setRawMode?.(true);
  write(ENTER);
  return {
    size: () => ({ cols: clampSide(output.columns ?? 80), rows: clampSide(output.rows ?? 24) }),
    paint: (frame) => {
      const rows = paintRows(frame, depth);
      let out = '';
      for (const [y, row] of rows.entries()) {
        if (row !== painted[y]) out += `\u001b[${y + 1};1H${row}`;
      }
      painted = rows;
      if (frame.hasMouse !== hasMouse) out += frame.hasMouse ? MOUSE_ON : MOUSE_OFF;
      hasMouse = frame.hasMouse;
      const { cursor } = frame;
      out += cursor === null ? '\u001b[?25l' : `\u001b[${cursor.y + 1};${cursor.x + 1}H\u001b[?25h`;
      write(out);
    },
    forget: () => {
      painted = [];
      input.setRawMode?.(true);
      write(ENTER + (hasMouse ? MOUSE_ON : ''));
    },
    ask: write,
    close: () => {
      process.off('exit', restore);
      restore();
    },
  };
}

/** At process exit only synchronous writes still arrive. */
function restoreScreen(output: Output): void {
  try {
    const { fd } = output as { fd?: number };
    if (fd === undefined) output.write(LEAVE);
    else writeSync(fd, LEAVE);
  } catch {
    // The terminal is gone or full; its next program resets it.
  }
}

function clampSide(side: number): number {
  return Math.min(MAX_SIDE, Math.max(1, side));
}
