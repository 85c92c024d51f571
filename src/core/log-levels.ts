/** Levels of the daemon's log, least first (L-181). */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether a record's level is `least` or above; what is no level is below all. */
export function isAtLeast(level: unknown, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level as LogLevel) >= LOG_LEVELS.indexOf(least);
}
