import { writeSync } from 'node:fs';

/**
 * Say a line on stderr. At once and without Node's own stream, whose error, where
 * the host has closed its end, would be a fault of ours that wants to be told.
 */
export function tell(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // Nobody listens.
  }
}
