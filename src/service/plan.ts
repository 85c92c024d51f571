/** What a login service is made of, whichever platform keeps it. */
export interface ServicePlan {
  /** Absolute path of the Node binary: login sessions have another PATH than shells. */
  node: string;
  /** Absolute path of the daemon's entry file. */
  entry: string;
  /** Absolute state root. */
  stateRoot: string;
  /** Account name as Windows writes it; nothing elsewhere. */
  account: string | null;
  /** The default root needs no LECTERN_HOME in the service. */
  isDefaultRoot: boolean;
  /** Where the service manager sends what the daemon prints before its log is open. */
  output: string;
}

/** A service as one platform wants it: a file, and the commands around it. */
export interface ServiceRecipe {
  platform: 'systemd' | 'launchd' | 'task-scheduler';
  /** Absolute path of the file to write. */
  file: string;
  content: string;
  /** Where the service's output goes; the directory must be there when it starts. */
  output: string;
  /** Task Scheduler reads UTF-16 only. */
  encoding: 'utf8' | 'utf16le';
  /** Run in order after the file is written. */
  install: string[][];
  /** Run in order before the file is removed; a failure is ignored (it may not be loaded). */
  uninstall: string[][];
  /** Exit 0 means that the service manager knows and runs it. */
  query: string[];
  /** Starts the installed service; kept in service.json for clients. */
  start: string[];
  /** Checks the file, where the platform has a verifier. */
  verify: string[] | null;
  /** What a person should know, such as lingering after logout. */
  hint: string | null;
}

/**
 * How long the service manager waits before it starts a dead daemon again.
 * A daemon that dies at once would otherwise eat a core; one that goes on dying
 * waits longer each time by itself (run-daemon.ts). Clients that need one sooner
 * start it themselves.
 */
export const RESTART_SECONDS = 5;

/** Longer than the daemon's own five seconds for what is in flight. */
export const STOP_SECONDS = 10;
