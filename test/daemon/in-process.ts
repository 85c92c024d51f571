import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Composition } from '../../daemon/composition.ts';
import type { DaemonOptions } from '../../daemon/daemon-view.ts';
import { openLog, openSilentLog } from '../../daemon/log.ts';
import { startDaemon } from '../../daemon/shell.ts';
import { Scope } from '../../src/core/scope.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';
import { composeDaemon } from '../wire/echo-composition.ts';
import { RawClient } from './raw-client.ts';

/** For compositions of which nobody asks anything. */
export const noAdmin: Composition['admin'] = async () => ({ handlers: {}, methods: [] });

/** A daemon in this process around the echo surface; it ends with the running test. */
export async function daemonHere(more: Partial<DaemonOptions> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'lectern-daemon-'));
  const paths = statePaths(root);
  const scope = new Scope('test');
  const log = openSilentLog();
  const records: Record<string, unknown>[] = [];
  const ends: string[] = [];
  const clients: RawClient[] = [];
  const daemon = await startDaemon({
    paths,
    scope,
    log,
    sessionLog: openLog({ write: (line) => records.push(JSON.parse(line)) }, 'trace'),
    version: '1.0.0',
    composition: await composeDaemon({ paths, scope, log, readOnly: false }),
    listens: true,
    idleExitMs: null,
    logFile: null,
    startupFailure: null,
    onEnd: (reason) => ends.push(reason),
    ...more,
  });
  onTestFinished(async () => {
    for (const client of clients) client.socket.destroy();
    await scope.close();
    rmSync(root, { recursive: true, force: true });
  });
  const token = readFileSync(paths.tokenFile, 'utf8');
  return {
    daemon,
    paths,
    scope,
    token,
    /** Records of sessions. */
    records,
    /** Why it ended, once it has. */
    ends,
    connect(): RawClient {
      const client = new RawClient(daemon.socket!);
      clients.push(client);
      return client;
    },
  };
}
