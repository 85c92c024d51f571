// One whole life of the composed daemon in this process: it is born, serves a
// command, a session and an HTTP client, and closes. What it leaves behind is
// printed; then the process is expected to end by itself.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { addCatalog } from '../../src/protocol/admin/add-catalog.ts';
import { connectAdmin } from '../../src/protocol/client.ts';
import { readDaemonRecord, readToken } from '../../src/protocol/link/daemon-file.ts';
import { FRAME } from '../../src/protocol/link/frames.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';
import { composeHere } from './compose-here.ts';
import { watchResources } from './open-resources.ts';
import { RawClient } from './raw-client.ts';

const [root, catalog] = process.argv.slice(2) as [string, string];
const resources = watchResources((stack) =>
  // Node's clock for Date headers, and the deadline of this script's own command.
  /node:internal\/http:|src\/protocol\/client/.test(stack),
);
writeFileSync(statePaths(root).config, '[http]\nlisten = "127.0.0.1:0"\n');
const { paths, scope, composition, daemon } = await composeHere(root, {
  listens: true,
  idleExitMs: 60_000,
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

resources.noteDuring(scope);
await daemon.retire('the test');
await scope.close();
client.socket.destroy();
listening.destroy();
await resources.report(scope);

function readHttpToken(): string {
  return readToken({ tokenFile: join(root, 'http-token') } as never);
}
