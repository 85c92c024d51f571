import { paintFor } from '../cli/paint.ts';
import { formatLogLine } from '../cli/print/daemon.ts';

/** Lines kept and drawn: a screen of the largest terminals, a few times over. */
export const LOG_LINES_KEPT = 300;

/** One line of the log as the document shows it. */
export interface LogLine {
  /** Counts up, so that a line keeps its key while others come and go. */
  id: number;
  text: string;
  is_error: boolean;
  is_warning: boolean;
  is_quiet: boolean;
}

/** The lines with those added that came since; the oldest go. */
export function addLogLines(kept: readonly LogLine[], added: readonly string[]): LogLine[] {
  const first = (kept.at(-1)?.id ?? 0) + 1;
  return [...kept, ...added.map((line, at) => shapeLogLine(line, first + at))].slice(
    -LOG_LINES_KEPT,
  );
}

function shapeLogLine(line: string, id: number): LogLine {
  const level = /"level":"([a-z]+)"/.exec(line)?.[1];
  return {
    id,
    // The document colours whole lines.
    text: formatLogLine(line, { paint: paintFor(false), width: 0, nowMs: 0 }),
    is_error: level === 'error' || level === 'fatal',
    is_warning: level === 'warn',
    is_quiet: level === 'debug' || level === 'trace',
  };
}
