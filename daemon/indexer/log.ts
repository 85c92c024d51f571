import type { LogLevel } from './messages.ts';

/** pino's shape. */
export type IndexerLog = Record<
  LogLevel,
  (fields: Record<string, unknown>, message: string) => void
>;
