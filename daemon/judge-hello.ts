import { toRpcError } from '../src/core/errors.ts';
import { type Hello, PROTOCOL, type Refusal } from '../src/protocol/link/hello.ts';
import type { Composition } from './composition.ts';
import { isSameSecret } from './same-secret.ts';

/** Agents on one machine, tenfold; each costs a descriptor and about 100 KB. */
export const MOST_SESSIONS = 512;

/** What a daemon admits sessions by. */
export interface Door {
  /** What a hello must carry; undefined where the client came by no socket. */
  token: string | undefined;
  version: string;
  openSessions: number;
  isRetiring: boolean;
  /** See Composition. */
  refuse: Composition['refuse'];
}

/** What speaks against a session; undefined admits it. */
export function judgeHello(hello: Hello, door: Door): Refusal | undefined {
  if (door.token !== undefined && !isSameSecret(hello.token, door.token)) {
    return { code: 'wrong_token', message: 'the token is not that of this daemon' };
  }
  if (hello.protocol > PROTOCOL) {
    return {
      code: 'unsupported_protocol',
      message: `protocol ${hello.protocol} is newer than ${PROTOCOL}, which lectern ${door.version} speaks`,
    };
  }
  if (door.openSessions >= MOST_SESSIONS) {
    return { code: 'session_limit', message: `${MOST_SESSIONS} sessions are open already` };
  }
  if (door.isRetiring) return { code: 'retiring', message: 'this daemon is retiring' };
  const fault = door.refuse?.(hello);
  if (fault === undefined) return undefined;
  return { code: 'wrong_workspace', message: fault.message, rpc: toRpcError(fault) };
}
