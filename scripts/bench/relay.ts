import { openLineClient } from '../../src/cli/quickstart/line-client.ts';
import type { Scope } from '../../src/core/scope.ts';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { dial } from '../../src/protocol/link/dial.ts';
import { pickSessionEnvironment } from '../../src/protocol/link/environment.ts';
import { FRAME } from '../../src/protocol/link/frames.ts';
import { type Measurement, quantile } from './measure.ts';
import { BIN, openProduct } from './product.ts';

/** Round trips of each kind, in turns of 50 so that both see the same machine. */
const TURNS = 20;
const PER_TURN = 50;

/** What the proxy adds to a round trip: `ping` through it, and straight over the socket. */
export async function measureRelay(scope: Scope): Promise<Measurement[]> {
  const product = await openProduct(scope);
  await product.cli('daemon', 'start');
  const proxied = scope.own(
    await openLineClient([process.execPath, BIN, 'mcp'], {
      cwd: product.paths.root,
      env: product.env,
    }),
    (client) => client.close(),
    'proxy',
  );
  const direct = await openDirect(scope, product.paths.daemonFile, product.env);
  await direct.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  const through: number[] = [];
  const straight: number[] = [];
  for (let turn = -1; turn < TURNS; turn += 1) {
    for (let n = 0; n < PER_TURN; n += 1) {
      const ms = await proxied.ping();
      if (turn >= 0) through.push(ms);
    }
    for (let n = 0; n < PER_TURN; n += 1) {
      const ms = await direct.request('ping', {});
      if (turn >= 0) straight.push(ms);
    }
  }
  const added = (share: number): number => quantile(through, share) - quantile(straight, share);
  return [
    { what: 'ping through the proxy, p50', value: quantile(through, 0.5), unit: 'ms' },
    { what: 'ping straight over the socket, p50', value: quantile(straight, 0.5), unit: 'ms' },
    { what: 'round trip added by the proxy, p50', value: added(0.5), unit: 'ms', most: 0.3 },
    { what: 'round trip added by the proxy, p99', value: added(0.99), unit: 'ms' },
  ];
}

/** A session without a proxy: frames over the daemon's socket. */
async function openDirect(scope: Scope, daemonFile: string, env: NodeJS.ProcessEnv) {
  const record = readDaemonRecord(daemonFile);
  if (record === undefined) throw new Error('no daemon is running');
  const waiting = new Map<number, () => void>();
  const connection = await dial(
    record,
    {
      version: '0.0.0',
      role: 'mcp',
      surface: 'library',
      workspace: null,
      harness: null,
      flags: {},
      cwd: process.cwd(),
      env: pickSessionEnvironment(env),
      pid: process.pid,
    },
    {
      onFrame: (frame) => {
        if (frame.kind !== FRAME.reply) return;
        waiting.get(frame.seq)?.();
        waiting.delete(frame.seq);
      },
      onClose: () => {},
    },
  );
  scope.own(connection, (open) => open.close(), 'direct session');
  let seq = 0;
  return {
    /** Milliseconds until the answer. */
    request(method: string, params: object): Promise<number> {
      seq += 1;
      const id = seq;
      const askedAt = performance.now();
      return new Promise((resolve) => {
        waiting.set(id, () => resolve(performance.now() - askedAt));
        connection.send(FRAME.mcp, id, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });
    },
  };
}
