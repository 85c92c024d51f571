import { currentDirectory } from '../src/protocol/link/current-directory.ts';
import { pickSessionEnvironment } from '../src/protocol/link/environment.ts';
import { reachDaemon } from '../src/protocol/link/reach-daemon.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import { loadSnapshot } from './answers.ts';
import type { ProxyFlags } from './flags.ts';
import { Relay, type RelayOptions } from './relay.ts';

/** Entry of the part of the proxy that is loaded behind the first answer: see LateRelay. */

/** What the relay needs of the part that was loaded first. */
export interface OpenRelayOptions
  extends Pick<RelayOptions, 'write' | 'pauseInput' | 'resumeInput' | 'onSettled'> {
  asked: ProxyFlags;
  paths: StatePaths;
  /** Our own. */
  version: string;
}

/** A relay that has begun to reach for a daemon. */
export function openRelay({ asked, paths, version, ...client }: OpenRelayOptions): Relay {
  const relay = new Relay({
    ...client,
    surface: asked.surface,
    reach: (events, onAbsent, signal) =>
      reachDaemon({
        paths,
        env: process.env,
        introduction: {
          ...asked,
          version,
          role: 'mcp',
          cwd: currentDirectory(),
          env: pickSessionEnvironment(process.env),
          pid: process.pid,
        },
        events,
        autostart: true,
        signal,
        onAbsent,
      }),
    loadSnapshot: () => loadSnapshot(asked.surface),
    onStarted: staySmall,
  });
  relay.start();
  return relay;
}

/**
 * A relay spends its time in native code. What the optimising compiler, helper
 * threads of the collector and a growing nursery would gain it costs memory, up
 * to 7 MB in each of a machine's many proxies.
 */
function staySmall(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of ['--no-opt', '--no-parallel-scavenge', '--semi-space-growth-factor=1']) {
    setFlagsFromString(flag);
  }
}
