import { type Logger, pino } from 'pino';
import { isAtLeast } from '../src/core/log-levels.ts';
import type { LogFile } from './log-file.ts';

export type Log = Logger;

/**
 * A logger whose records have `ts`, `level`, `target` and `msg` (L-181). Rooms
 * take `log.child({ target: 'indexer' })`; what names no target is the daemon's.
 */
export function openLog(destination: Pick<LogFile, 'write'>, level: string | undefined): Log {
  return pino(
    {
      level: readLevel(level),
      base: null,
      messageKey: 'msg',
      timestamp: () => `,"ts":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      mixin: (_record, _level, log) => ('target' in log.bindings() ? {} : { target: 'daemon' }),
    },
    destination,
  );
}

/** A logger that says nothing. */
export function openSilentLog(): Log {
  return pino({ level: 'silent' }, { write: () => {} });
}

/** `LECTERN_LOG` and `logging.level` know `off`; pino calls it `silent`. */
function readLevel(level: string | undefined): string {
  const wanted = level?.trim().toLowerCase() ?? '';
  if (wanted === 'off') return 'silent';
  return wanted === 'silent' || isAtLeast(wanted, 'trace') ? wanted : 'info';
}
