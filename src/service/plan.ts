/** What a login service is made of, whichever platform keeps it. */
export interface ServicePlan {
  /**
   * Program and arguments that run the daemon's entry, each path absolute: login
   * sessions have another PATH than shells.
   */
  command: string[];
  /** Absolute state root. */
  stateRoot: string;
  /** `identifyStateRoot` of the root; null for the default root (name.ts). */
  instance: string | null;
  /** A service would not find this root by itself: it is told. */
  namesRoot: boolean;
  /** Account name as Windows writes it; nothing elsewhere. */
  account: string | null;
  /** Where the service manager sends what the daemon prints before its log is open. */
  output: string;
}

/** Where the service is to live. */
export interface Surroundings {
  platform: NodeJS.Platform;
  /** Home directory by the environment, absolute. */
  home: string;
  /** Home directory that the service manager knows: that of the password database. */
  loginHome: string;
  /** XDG_CONFIG_HOME as it is set. */
  configHome: string | undefined;
  uid: number;
  /** The user's services run on after logout already (systemd). */
  isLingering: boolean;
}

/** A service as one platform wants it: a file, and the commands around it. */
export interface ServiceRecipe {
  platform: 'systemd' | 'launchd' | 'task-scheduler';
  /** What the service manager calls it. */
  name: string;
  /** Absolute path of the file to write. */
  file: string;
  content: string;
  /** Where the service's output goes; the directory must be there when it starts. */
  output: string;
  /** Task Scheduler reads UTF-16 only. */
  encoding: 'utf8' | 'utf16le';
  /** Run in order after the file is written; a failure is ignored (there may be nothing to clear away). */
  prepare: string[][];
  /** Unloads a service that is loaded, where one would be refused beside it; null elsewhere. */
  unload: string[] | null;
  /** Run in order after that. */
  install: string[][];
  /** Run in order before the file is removed; a failure is ignored (it may not be loaded). */
  uninstall: string[][];
  /** Run in order after the file is removed; a failure is ignored. */
  afterRemoval: string[][];
  /** Links that `uninstall` removes when the service manager can be reached. */
  links: string[];
  /** Exit 0 means that the service manager knows and runs it. */
  query: string[];
  /** Prints what is registered, where the file is only what it was made from; null elsewhere. */
  print: string[] | null;
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
