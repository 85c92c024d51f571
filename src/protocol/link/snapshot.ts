import type { Surface } from './hello.ts';

/**
 * What a surface answers to a handshake, recorded when lectern is built, so
 * that a proxy can answer while the daemon is still starting. Every result is
 * JSON text, sent as it is.
 */
export interface HandshakeSnapshot {
  surface: Surface;
  /** Result of `initialize` by the protocol version asked for. */
  initialize: Record<string, string>;
  /** Result for any other version. */
  initializeOther: string | null;
  /** Result of a `tools/list` without cursor after `initialize`. */
  toolsList: string | null;
  /** The same for a request that names its version itself (2026-07-28). */
  toolsListStateless: string | null;
  /** Result of `server/discover`. */
  discover: string | null;
  /** Result of `ping`. */
  ping: string;
  /** Tools whose calls may be sent twice. */
  readOnlyTools: string[];
}

/** Nothing is known: the proxy holds every request until the daemon is there. */
export function emptySnapshot(surface: Surface): HandshakeSnapshot {
  return {
    surface,
    initialize: {},
    initializeOther: null,
    toolsList: null,
    toolsListStateless: null,
    discover: null,
    ping: '{}',
    readOnlyTools: [],
  };
}
