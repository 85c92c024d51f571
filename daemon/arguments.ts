/** How a daemon was started. */
export interface DaemonArguments {
  /**
   * `stdio`: one read-only session over stdin and stdout. `service`: waits while
   * another daemon owns the state root. `on-demand`: leaves when idle.
   */
  mode: 'stdio' | 'service' | 'on-demand' | 'foreground';
  /** `--state-root`, for starters that cannot set an environment (Task Scheduler). */
  stateRoot: string | null;
  /** `--because`, with `stdio`: why there is no daemon to serve the session instead. */
  because: string | null;
}

/**
 * Read what follows the entry on the command line.
 *
 *   run                     stays until told to end
 *   run --service           the same, started by the login service
 *   run --on-demand         started by a client
 *   --stdio                 started by a client that may not use sockets
 *   … --because TEXT        why that is so
 *   … --state-root PATH     instead of LECTERN_HOME
 *
 * @returns the fault, in words, where there is one
 */
export function readArguments(args: readonly string[]): DaemonArguments | { fault: string } {
  const read: DaemonArguments = { mode: 'foreground', stateRoot: null, because: null };
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    if (arg === 'run') continue;
    else if (arg === '--stdio') read.mode = 'stdio';
    else if (arg === '--service') read.mode = 'service';
    else if (arg === '--on-demand') read.mode = 'on-demand';
    else if (arg === '--because') read.because = args[(at += 1)] ?? null;
    else if (arg.startsWith('--state-root=')) read.stateRoot = arg.slice('--state-root='.length);
    else if (arg === '--state-root') {
      const path = args[(at += 1)];
      if (path === undefined) return { fault: '--state-root needs a path' };
      read.stateRoot = path;
    } else return { fault: `unknown argument ${arg}` };
  }
  return read;
}
