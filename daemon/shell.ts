import type { Duplex } from '../src/protocol/link/connection.ts';
import { MAX_MESSAGE_BYTES } from '../src/protocol/link/frames.ts';
import { type Hello, PROTOCOL } from '../src/protocol/link/hello.ts';
import { isNewer } from '../src/protocol/link/version-order.ts';
import { openAdminPeer } from './admin.ts';
import { type Announcement, announceBirth } from './announce.ts';
import { collectWhenIdle } from './collect-when-idle.ts';
import type { DaemonOptions, DaemonView } from './daemon-view.ts';
import { judgeHello, MOST_SESSIONS } from './judge-hello.ts';
import { watchIdleness, watchOwnership } from './lifecycle.ts';
import { loadAdminOnce } from './load-admin.ts';
import { measureLoopDelay } from './loop-delay.ts';
import { MOST_QUEUED } from './mcp-exchange.ts';
import { createCallMetrics } from './metrics.ts';
import { OpenSessions } from './open-sessions.ts';
import { refuseConnection, type SessionHost, serveConnection } from './session.ts';

/** Sessions, and as many again that have not said hello yet or are just ending. */
const MOST_CONNECTIONS = MOST_SESSIONS * 2;

/**
 * What is in flight when we are told to end gets this long. Library contract 9.3
 * allows five seconds for all of it: the databases are closed in the last one.
 */
const DRAIN_MS = 4000;

/** Design 4: an on-demand daemon leaves after this long without a session. */
export const IDLE_EXIT_MS = 30 * 60 * 1000;

/** A daemon that serves. */
export interface Daemon {
  readonly socket: string | null;
  /** Serve a connection that did not come through the socket. */
  serve(stream: Duplex): void;
  /** Answer what is in flight (at most 5 s), then end. Safe to call twice. */
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
  const sessions = new OpenSessions();
  const metrics = createCallMetrics();
  const bornAt = performance.now();
  const idleExitMs =
    options.idleExitMs === null ? null : (composition.idleExitMs ?? options.idleExitMs);
  let connections = 0;
  let nextSession = 0;
  let retiring: Promise<void> | undefined;
  let announcement: Announcement | undefined;

  const delay = measureLoopDelay(scope);
  scope.own(collectWhenIdle(), (stop) => stop(), 'idle collection');

  const isOurs = () => announcement?.isOurs() === true && options.holdsLock?.() !== false;

  async function retire(reason: string): Promise<void> {
    retiring ??= (async () => {
      log.info({ reason, sessions: sessions.size, inFlight: sessions.inFlight }, 'retiring');
      // The last chance, and only while the place is known to be ours.
      if (isOurs()) composition.keepFiles?.(true);
      announcement?.stopListening();
      for (const session of sessions.list()) session.announceRetirement();
      await Promise.all([sessions.drained(DRAIN_MS), composition.drain?.(DRAIN_MS)]);
      await sessions.closeAll();
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
    options,
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
    loopDelayP99Ms: delay.takeP99Ms,
    retire,
    reload,
  };

  const loadAdmin = loadAdminOnce(view);
  const idleness = watchIdleness(scope, idleExitMs, () => {
    if (composition.staysWhileIdle?.() === true) idleness.setBusy(false);
    else void retire('idle');
  });

  const host: SessionHost = {
    log: options.sessionLog,
    refuse: (hello) =>
      judgeHello(hello, {
        token: announcement?.token,
        version: options.version,
        openSessions: sessions.size,
        isRetiring: retiring !== undefined,
        refuse: composition.refuse,
      }),
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
      openAdminPeer(loadAdmin(), context, send, log.child({ target: 'admin' }), MOST_QUEUED),
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
      sessions.remove(session);
      if (sessions.size === 0) idleness.setBusy(false);
    },
    onAnswered: metrics.record,
    onSettled: () => sessions.noteSettled(),
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

  scope.own(sessions, (open) => open.closeAll(), 'sessions');
  if (options.listens) {
    const said = {
      version: options.version,
      answersAsRecorded: composition.answersAsRecorded ?? false,
    };
    announcement = await announceBirth(paths, said, (socket) => {
      serve({ readable: socket, writable: socket, destroy: () => socket.destroy() });
    });
    scope.own(announcement, closeAnnouncement, 'socket');
    watchOwnership(scope, isOurs, {
      onHeld: () => composition.keepFiles?.(false),
      onLost: () => void retire('the state root is no longer ours'),
    });
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
