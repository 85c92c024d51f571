import { applyBatch } from '../tui/index.ts';
import type { ColorDepth } from '../tui/run/ansi.ts';
import { paintRows } from '../tui/run/ansi.ts';
import { createDashboard } from './dashboard.ts';
import { loadTopDocument } from './document.ts';
import type { Snapshot } from './snapshot.ts';

/** Where one frame is printed to. */
export interface OnceOptions {
  cols: number;
  rows: number;
  /** Null: text alone, for a pipe. */
  depth: ColorDepth | null;
  home: string;
}

/** One frame of the dashboard as lines of text, without the keys that nobody could press. */
export async function printOnce(snapshot: Snapshot, options: OnceOptions): Promise<string> {
  const { cols, rows, depth, home } = options;
  const who = { home, ownPid: process.pid };
  const app = createDashboard(await loadTopDocument(), snapshot, who, { cols, rows });
  applyBatch(app, (write) => write('is_live', false));
  const frame = app.draw();
  if (depth !== null) return paintRows(frame, depth).join('\n');
  const { text } = frame.canvas;
  const lines = Array.from({ length: rows }, (_, y) =>
    text
      .slice(y * cols, (y + 1) * cols)
      .join('')
      .trimEnd(),
  );
  return lines.join('\n').trimEnd();
}
