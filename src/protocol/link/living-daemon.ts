import { readDaemonRecord } from './daemon-file.ts';
import { isAlive } from './process-identity.ts';
import type { StatePaths } from './state-paths.ts';

/** Whether the daemon on record lives, as far as this process can see. */
export function hasLivingDaemon({ daemonFile }: Pick<StatePaths, 'daemonFile'>): boolean {
  const record = readDaemonRecord(daemonFile);
  return record !== undefined && isAlive(record);
}
