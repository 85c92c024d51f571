import { readOwnFile } from './own-file.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** `daemon.json`: the only way by which a client finds the daemon. */
export interface DaemonRecord extends ProcessIdentity {
  socket: string;
  version: string;
  protocol: number;
  /** File with the token that a hello must carry. */
  tokenFile: string;
  /** Unix ms of the birth, for people. */
  bornAt: number;
  /** It answers handshakes as they were recorded when its version was built. */
  answersAsRecorded: boolean;
  /** Where its pid means it; null where that is unknown. */
  pidNamespace: string | null;
}

/** The record of the daemon that lives or last lived; undefined when none is readable. */
export function readDaemonRecord(path: string): DaemonRecord | undefined {
  let record: Partial<DaemonRecord> | null;
  try {
    record = JSON.parse(readOwnFile(path));
  } catch {
    return undefined;
  }
  if (
    typeof record !== 'object' ||
    record === null ||
    typeof record.socket !== 'string' ||
    record.socket === '' ||
    typeof record.pid !== 'number' ||
    typeof record.tokenFile !== 'string'
  ) {
    return undefined;
  }
  return {
    socket: record.socket,
    pid: record.pid,
    startTime: asText(record.startTime),
    bootId: asText(record.bootId),
    version: asText(record.version) ?? '0.0.0',
    protocol: typeof record.protocol === 'number' ? record.protocol : 1,
    tokenFile: record.tokenFile,
    bornAt: typeof record.bornAt === 'number' ? record.bornAt : 0,
    answersAsRecorded: record.answersAsRecorded === true,
    pidNamespace: asText(record.pidNamespace),
  };
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The token of the daemon that wrote `record`; empty when it is gone, which that daemon refuses. */
export function readToken(record: DaemonRecord): string {
  try {
    return readOwnFile(record.tokenFile).trim();
  } catch {
    return '';
  }
}
