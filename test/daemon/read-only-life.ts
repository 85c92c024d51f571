// One whole life of a read-only daemon in this process: it is born on an index
// that is there, and closes. What it leaves behind is printed; then the process
// is expected to end by itself.
import { createHook } from 'node:async_hooks';
import { composeDaemon } from '../../daemon/compose.ts';
import { openSilentLog } from '../../daemon/log.ts';
import { startDaemon } from '../../daemon/shell.ts';
import { Scope } from '../../src/core/scope.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';

const WATCHED = /^(Timeout|FSEVENTWRAP|STATWATCHER|(PIPE|TCP)(SERVER)?WRAP|PROCESSWRAP|WORKER)$/;

const open = new Map<number, string>();
const hook = createHook({
  init(id, type) {
    if (WATCHED.test(type)) open.set(id, `${type} ${new Error().stack!}`);
  },
  destroy(id) {
    open.delete(id);
  },
});
hook.enable();

const [root] = process.argv.slice(2) as [string];
process.env['LECTERN_HOME'] = root;
const paths = statePaths(root);
const scope = new Scope('read-only life');
const log = openSilentLog();
const composition = await composeDaemon({ paths, scope, log, readOnly: true });
const daemon = await startDaemon({
  paths,
  scope,
  log,
  sessionLog: log,
  version: '1.0.0',
  composition,
  listens: false,
  idleExitMs: null,
  logFile: null,
  startupFailure: null,
  onEnd: () => {},
});
const owned = scope.owned;
const during = [...open.values()].map((what) => what.split(' ')[0]);
await daemon.retire('the test');
await scope.close();
// Closing callbacks and the destroy hooks run in later turns.
for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
hook.disable();
process.stdout.write(
  JSON.stringify({
    owned,
    during,
    stillOwned: scope.owned,
    left: [...open.values()],
    resources: process.getActiveResourcesInfo(),
  }),
);
