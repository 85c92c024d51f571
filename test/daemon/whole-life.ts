// One whole life of the composed daemon in this process: it is born, serves a
// command, a session and an HTTP client, and closes. What it leaves behind is
// printed; then the process is expected to end by itself.
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { composeDaemon } from '../../daemon/compose.ts';
import { openSilentLog } from '../../daemon/log.ts';
import { startDaemon } from '../../daemon/shell.ts';
import { Scope } from '../../src/core/scope.ts';
import { addCatalog } from '../../src/protocol/admin/add-catalog.ts';
import { connectAdmin } from '../../src/protocol/client.ts';
import { readDaemonRecord, readToken } from '../../src/protocol/link/daemon-file.ts';
import { FRAME } from '../../src/protocol/link/frames.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';
import { RawClient } from './raw-client.ts';

/** What a life may leave open: timers, unreferenced ones too, watchers, servers, sockets, children, threads. */
const WATCHED = /^(Timeout|FSEVENTWRAP|STATWATCHER|(PIPE|TCP)(SERVER)?WRAP|PROCESSWRAP|WORKER)$/;

const [root, catalog] = process.argv.slice(2) as [string, string];
const open = new Map<number, string>();
const hook = createHook({
  init(id, type) {
    if (!WATCHED.test(type)) return;
    const stack = new Error().stack!;
    // Node's clock for Date headers, and the deadline of this script's own command.
    if (/node:internal\/http:|src\/protocol\/client/.test(stack)) return;
    open.set(id, `${type} ${stack.split('\n').slice(2).join(' ')}`);
  },
  destroy(id) {
    open.delete(id);
  },
});
hook.enable();

process.env['LECTERN_HOME'] = root;
const paths = statePaths(root);
writeFileSync(paths.config, '[http]\nlisten = "127.0.0.1:0"\n');
const scope = new Scope('whole life');
const log = openSilentLog();
const composition = await composeDaemon({ paths, scope, log, readOnly: false });
const daemon = await startDaemon({
  paths,
  scope,
  log,
  sessionLog: log,
  version: '1.0.0',
  composition,
  listens: true,
  idleExitMs: 60_000,
  logFile: null,
  startupFailure: null,
  onEnd: () => {},
});

const admin = await connectAdmin({ env: process.env, autostart: false });
await admin.call(addCatalog, { source: catalog, enable: true } as never);
admin.close();

const client = new RawClient(daemon.socket!);
client.hello(readToken(readDaemonRecord(paths.daemonFile)!), { cwd: catalog });
client.call(1, 1, 'search_skills', { query: 'prune a tree' });
await client.frame(FRAME.reply, 1);

const url = composition.http!()!.url!;
const listening = request(url, {
  agent: false,
  headers: { authorization: `Bearer ${readHttpToken()}` },
});
listening.on('error', () => {});
listening.end();
const [stream] = await once(listening, 'response');
stream.on('error', () => {});
stream.resume();

const owned = scope.owned;
const during = [...open.values()].map((what) => what.split(' ')[0]);
await daemon.retire('the test');
await scope.close();
client.socket.destroy();
listening.destroy();
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

function readHttpToken(): string {
  return readToken({ tokenFile: join(root, 'http-token') } as never);
}
