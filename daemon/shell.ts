import { timingSafeEqual } from 'node:crypto';
import { toRpcError } from '../src/core/errors.ts';
import type { Scope } from '../src/core/scope.ts';
import type { Duplex } from '../src/protocol/link/connection.ts';
import { MAX_MESSAGE_BYTES } from '../src/protocol/link/frames.ts';
import { type Hello, PROTOCOL } from '../src/protocol/link/hello.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import { isNewer } from '../src/protocol/link/version-order.ts';
import { openAdminPeer, type ServedAdmin } from './admin.ts';
import { type Announcement, announceBirth } from './announce.ts';
import { collectWhenIdle } from './collect-when-idle.ts';
import type { Composition } from './composition.ts';
import { watchIdleness, watchOwnership } from './lifecycle.ts';
import type { Log } from './log.ts';
import { measureLoopDelay } from './loop-delay.ts';
import { type CallMetrics, createCallMetrics } from './metrics.ts';
import {
  MOST_QUEUED,
  refuseConnection,
  type Session,
  type SessionHost,
  serveConnection,
} from './session.ts';

/** Agents on one machine, tenfold; each costs a descriptor and about 100 KB. */
const MOST_SESSIONS = 512;

/** Sessions, and as many again that have not said hello yet or are just ending. */
const MOST_CONNECTIONS = MOST_SESSIONS * 2;

/** Library contract 9.3: what is in flight when we are told to end gets this long. */
const DRAIN_MS = 5000;

/** Design 4: an on-demand daemon leaves after this long without a session. */
export const IDLE_EXIT_MS = 30 * 60 * 1000;

export interface DaemonOptions {
  paths: StatePaths;
  scope: Scope;
  log: Log;
  /** Records of MCP sessions (library contract 9.4). */
  sessionLog: Log;
  version: string;
  composition: Composition;
  /** Without it the daemon serves the one connection given to `serve`. */
  listens: boolean;
  /** Null stays for ever (the login service). */
  idleExitMs: number | null;
  logFile: string | null;
  startupFailure: string | null;
  /** The daemon has drained and let go of its socket; the owner closes the scope and exits. */
  onEnd(reason: string): void;
}

/** A daemon that serves. */
export interface Daemon {
  readonly socket: string | null;
  /** Serve a connection that did not come through the socket. */
  serve(stream: Duplex): void;
  /** Answer what is in flight (at most 5 s), then end. Safe to call twice. */
  retire(reason: string): Promise<void>;
  reload(): Promise<boolean>;
}

/** What the daemon's own admin methods look at. */
export interface DaemonView {
  readonly sessions: ReadonlySet<Session>;
  readonly socket: string | null;
  readonly isRetiring: boolean;
  readonly bornAt: number;
  readonly idleExitMs: number | null;
  readonly metrics: CallMetrics;
  inFlight(): number;
  calls(): number;
  loopDelayP99Ms(): number;
  /** Resolves when nothing but `but` is in flight, or after `timeoutMs`. */
  drained(timeoutMs: number, but: number): Promise<void>;
  retire(reason: string): Promise<void>;
  reload(): Promise<boolean>;
}

/**
 * Serve sessions until told to end.
 *
 * @throws the socket's error when nothing can be listened on
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { paths, scope, log, composition } = options;
  const sessions = new Set<Session>();
  const metrics = createCallMetrics();
  const settledListeners = new Set<() => void>();
  const bornAt = performance.now();
  const idleExitMs =
    options.idleExitMs === null ? null : (composition.idleExitMs ?? options.idleExitMs);
  let connections = 0;
  let nextSession = 0;
  let closedCalls = 0;
  let retiring: Promise<void> | undefined;
  let announcement: Announcement | undefined;

  const delay = measureLoopDelay(scope);
  scope.own(collectWhenIdle(), (stop) => stop(), 'idle collection');

  const inFlight = () => [...sessions].reduce((sum, session) => sum + session.inFlight, 0);

  function drained(timeoutMs: number, but: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (inFlight() <= but) finish();
      };
      const finish = () => {
        clearTimeout(timer);
        settledListeners.delete(look);
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      settledListeners.add(look);
      look();
    });
  }

  async function retire(reason: string): Promise<void> {
    retiring ??= (async () => {
      log.info({ reason, sessions: sessions.size, inFlight: inFlight() }, 'retiring');
      composition.stopWrites?.();
      announcement?.stopListening();
      for (const session of sessions) session.announceRetirement();
      await Promise.all([drained(DRAIN_MS, 0), composition.drain?.()]);
      await Promise.all([...sessions].map((session) => session.close()));
      options.onEnd(reason);
    })();
    return retiring;
  }

  async function reload(): Promise<boolean> {
    if (composition.reload === undefined) return false;
    await composition.reload();
    log.info('configuration read again');
    return true;
  }

  const view: DaemonView = {
    sessions,
    get socket() {
      return announcement?.socket ?? null;
    },
    get isRetiring() {
      return retiring !== undefined;
    },
    bornAt,
    get idleExitMs() {
      return composition.staysWhileIdle?.() === true ? null : idleExitMs;
    },
    metrics,
    inFlight,
    calls: () => [...sessions].reduce((sum, session) => sum + session.calls, closedCalls),
    loopDelayP99Ms: delay.takeP99Ms,
    drained,
    retire,
    reload,
  };

  let served: Promise<ServedAdmin> | undefined;
  function serveAdmin(): Promise<ServedAdmin> {
    served ??= loadAdmin();
    // The next administrator tries again.
    served.catch(() => (served = undefined));
    return served;
  }
  async function loadAdmin(): Promise<ServedAdmin> {
    const { ownAdminHandlers, ownAdminMethods } = await import('./own-admin.ts');
    const { handlers, methods } = await composition.admin();
    return {
      handlers: { ...handlers, ...ownAdminHandlers(view, options) },
      methods: new Map([...methods, ...ownAdminMethods].map((method) => [method.method, method])),
    };
  }

  const idleness = watchIdleness(scope, idleExitMs, () => {
    if (composition.staysWhileIdle?.() === true) idleness.setBusy(false);
    else void retire('idle');
  });

  const host: SessionHost = {
    log: options.sessionLog,
    refuse(hello) {
      if (announcement !== undefined && !equalInConstantTime(hello.token, announcement.token)) {
        return { code: 'wrong_token', message: 'the token is not that of this daemon' };
      }
      if (hello.protocol > PROTOCOL) {
        return {
          code: 'unsupported_protocol',
          message: `protocol ${hello.protocol} is newer than ${PROTOCOL}, which lectern ${options.version} speaks`,
        };
      }
      if (sessions.size >= MOST_SESSIONS) {
        return { code: 'session_limit', message: `${MOST_SESSIONS} sessions are open already` };
      }
      if (retiring !== undefined) return { code: 'retiring', message: 'this daemon is retiring' };
      const fault = composition.refuse?.(hello);
      if (fault === undefined) return undefined;
      return { code: 'wrong_workspace', message: fault.message, rpc: toRpcError(fault) };
    },
    welcome: (session) => ({
      protocol: PROTOCOL,
      version: options.version,
      features: ['read', 'retire', 'log'],
      limits: {
        messageBytes: MAX_MESSAGE_BYTES,
        sessions: MOST_SESSIONS,
        queuedRequests: MOST_QUEUED,
      },
      clock: composition.clock?.() ?? null,
      session,
      pid: process.pid,
    }),
    openSurface: (hello: Hello) => composition.surfaces[hello.surface],
    openAdmin: (context, send) =>
      openAdminPeer(serveAdmin(), context, send, log.child({ target: 'admin' })),
    isRetiring: () => retiring !== undefined,
    onRetireAsked(hello) {
      if (isNewer(hello.version, options.version)) void retire(`upgrade to ${hello.version}`);
      else log.info({ client: hello.version }, 'not retiring for a client that is no newer');
    },
    onOpen(session) {
      sessions.add(session);
      idleness.setBusy(true);
    },
    onClose(session) {
      closedCalls += session.calls;
      sessions.delete(session);
      if (sessions.size === 0) idleness.setBusy(false);
    },
    onAnswered: metrics.record,
    onSettled() {
      for (const look of [...settledListeners]) look();
    },
  };

  function serve(stream: Duplex): void {
    // Half-open connections count too: somebody who never says hello must not use up descriptors.
    if (connections >= MOST_CONNECTIONS) {
      refuseConnection(stream, `${MOST_CONNECTIONS} connections are open already`);
      return;
    }
    connections += 1;
    stream.readable.once('close', () => {
      connections -= 1;
      // Whether or not it was admitted.
      if (!options.listens) void retire('the starter is gone');
    });
    nextSession += 1;
    serveConnection(stream, nextSession, host);
  }

  scope.own(host, () => Promise.all([...sessions].map((s) => s.close())), 'sessions');
  if (options.listens) {
    const said = {
      version: options.version,
      answersAsRecorded: composition.answersAsRecorded ?? false,
    };
    announcement = await announceBirth(paths, said, (socket) => {
      serve({ readable: socket, writable: socket, destroy: () => socket.destroy() });
    });
    scope.own(announcement, closeAnnouncement, 'socket');
    watchOwnership(scope, announcement, () => void retire('the state root is no longer ours'));
    log.info({ socket: announcement.socket, version: options.version }, 'listening');
  }
  return {
    get socket() {
      return view.socket;
    },
    serve,
    retire,
    reload,
  };
}

function closeAnnouncement(announcement: Announcement): void {
  announcement.stopListening();
  announcement.retract();
}

function equalInConstantTime(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
