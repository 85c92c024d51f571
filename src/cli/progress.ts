import { count, cut } from './text.ts';

/** A step on the way, as the daemon tells it. */
export interface Step {
  /** For people: `reading catalogs`. */
  what: string;
  done: number;
  /** Null while unknown. */
  total: number | null;
}

/** Characters of the bar itself; the rest of the line says what it counts. */
const BAR = 24;

/** One line without its end: `reading catalogs ████████░░░░ 12/40`. Pure. */
export function formatProgress(step: Step, width: number): string {
  if (step.total === null || step.total <= 0) {
    return cut(step.done > 0 ? `${step.what} ${count(step.done, 'item')}` : step.what, width - 1);
  }
  const share = Math.min(1, step.done / step.total);
  const filled = Math.floor(share * BAR);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
  return cut(`${step.what} ${bar} ${step.done}/${step.total}`, width - 1);
}

/**
 * Work shorter than this shows nothing: a bar that flashes up is noise. One
 * second is where people start to wonder whether anything happens.
 */
const QUIET_MS = 1000;
/** Redrawing faster than the eye reads only costs the terminal. */
const REDRAW_MS = 80;

/** The progress line of one command on standard error; nothing unless it may be drawn. */
export interface ProgressLine {
  update(step: Step): void;
  /** Wipe the line. Safe to call twice. */
  done(): void;
}

/**
 * @param now monotonic milliseconds, so that a clock jump draws nothing odd
 */
export function openProgress(
  draws: boolean,
  width: number,
  write: (text: string) => void,
  now: () => number = () => performance.now(),
): ProgressLine {
  if (!draws) return { update: () => {}, done: () => {} };
  const startedAt = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    update(step) {
      const at = now();
      if (at - startedAt < QUIET_MS || at - drawnAt < REDRAW_MS) return;
      drawnAt = at;
      isDrawn = true;
      write(`\r\u001b[K${formatProgress(step, width)}`);
    },
    done() {
      if (!isDrawn) return;
      isDrawn = false;
      write('\r\u001b[K');
    },
  };
}
