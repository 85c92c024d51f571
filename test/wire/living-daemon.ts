import { type DaemonRecord, readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { isAlive } from '../../src/protocol/link/process-identity.ts';
import type { StatePaths } from '../../src/protocol/link/state-paths.ts';
import { eventually } from '../eventually.ts';

/** The daemon of a state root, once one is on record that lives. */
export function livingDaemon({ daemonFile }: StatePaths): Promise<DaemonRecord> {
  return eventually(() => {
    const record = readDaemonRecord(daemonFile);
    if (record === undefined || !isAlive(record)) throw new Error('no daemon lives');
    return record;
  });
}
