import { composeDaemon } from '../../daemon/compose.ts';
import type { DaemonOptions } from '../../daemon/daemon-view.ts';
import { openSilentLog } from '../../daemon/log.ts';
import { startDaemon } from '../../daemon/shell.ts';
import { Scope } from '../../src/core/scope.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';

/** The whole daemon of a state root, in this process. */
export async function composeHere(
  root: string,
  how: Pick<DaemonOptions, 'listens' | 'idleExitMs'>,
) {
  process.env['LECTERN_HOME'] = root;
  const paths = statePaths(root);
  const scope = new Scope('a life');
  const log = openSilentLog();
  const composition = await composeDaemon({ paths, scope, log, readOnly: !how.listens });
  const daemon = await startDaemon({
    paths,
    scope,
    log,
    sessionLog: log,
    version: '1.0.0',
    composition,
    ...how,
    logFile: null,
    startupFailure: null,
    onEnd: () => {},
  });
  return { paths, scope, composition, daemon };
}
