import type { LecternError } from '../src/core/errors.ts';
import type { Scope } from '../src/core/scope.ts';
import type { OpenSurface, SessionContext, SurfaceName } from '../src/mcp/surface.ts';
import type { HttpStatus } from '../src/protocol/admin/daemon-status.ts';
import type { AdminMethod } from '../src/protocol/admin/method.ts';
import type { Hello } from '../src/protocol/link/hello.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import type { BootedChild } from './embedder/boot-child.ts';
import type { Log } from './log.ts';
import type { RecentSearch } from './recent-searches.ts';

/** What an admin method knows of its caller. */
export interface AdminContext {
  session: SessionContext;
  /** Tell the caller how far a long method is. */
  progress(what: string, done: number, total: number | null): void;
}

/**
 * One admin method's work. Parameters are already checked when the method's
 * schema is among `ComposedAdmin.methods`; a LecternError that it throws is
 * raised again at the caller.
 */
// biome-ignore lint/suspicious/noExplicitAny: each handler narrows to its own method's params
export type AdminHandler = (params: any, context: AdminContext) => Promise<unknown>;

export type AdminHandlers = Record<string, AdminHandler>;

/** What administrators can ask beside the shell's own methods. */
export interface ComposedAdmin {
  handlers: AdminHandlers;
  /** Their schemas. */
  methods: readonly AdminMethod[];
}

export interface ComposeOptions {
  paths: StatePaths;
  /** Closes with the daemon, before the owner lock is released. */
  scope: Scope;
  log: Log;
  /** Over stdio: nothing may be written, on whatever ground the state root lies. */
  readOnly: boolean;
  /** Why this is read-only, where no person asked for it. */
  because?: string | null;
  /** One that loads the model already; without, it is started here. */
  embedder?: BootedChild;
}

/** What the library and its index were doing lately. */
export interface Activity {
  /** Newest first. */
  searches: RecentSearch[];
  polled: { root: string; reason: string }[];
}

/** Everything the daemon shell serves. */
export interface Composition {
  surfaces: Partial<Record<SurfaceName, OpenSurface>>;
  /** Loaded when the first administrator connects: fifty schemas, which no agent waits for. */
  admin(): Promise<ComposedAdmin>;
  /** Handshakes are answered as they were recorded when this version was built. */
  answersAsRecorded?: boolean;
  /** What speaks against a session whatever state the daemon is in; undefined admits it. */
  refuse?: (hello: Hello) => LecternError | undefined;
  /** Number of the index state, for the welcome. */
  clock?: () => number | null;
  /** Read the configuration again (SIGHUP, `daemon.reload`); rejects when it is malformed. */
  reload?: () => Promise<void>;
  /** Why config.toml as it lies there now is ignored, for `daemon.status`; null when it is not. */
  configFailure?: () => Promise<string | null>;
  /**
   * See that what is written has not lost its files; called every few seconds while
   * the state root is ours, and urgently when the daemon ends.
   */
  keepFiles?: (isUrgent: boolean) => void;
  /** Called when draining begins: take nothing more; resolves when what was taken is answered, or after `timeoutMs`. */
  drain?: (timeoutMs: number) => Promise<void>;
  /** True while something beside sessions needs this daemon: HTTP clients could not start another. */
  staysWhileIdle?: () => boolean;
  /** The workspaces that sessions work in, for `sessions.list`; null where there is none. */
  workspacesOf?: (hellos: readonly Hello[]) => Promise<(string | null)[]>;
  /** The HTTP endpoint, for `daemon.status`. */
  http?: () => HttpStatus | null;
  /** The last searches and the roots that are polled, for `metrics.get`. */
  activity?: () => Activity;
  /** Overrides the 30 minutes after which an on-demand daemon without sessions exits. */
  idleExitMs?: number | null;
}
