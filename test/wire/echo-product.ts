import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { HandshakeSnapshot } from '../../src/protocol/link/snapshot.ts';

const root = resolve(import.meta.dirname, '../..');

let built: Promise<string> | undefined;

/**
 * The built product around the echo surface: bin/, proxy and daemon, built once
 * per test process and removed when it ends.
 *
 * @returns its package directory
 */
export function echoProduct(): Promise<string> {
  built ??= buildEcho();
  return built;
}

/** What the echo product's proxy answers while there is no daemon. */
export const echoSnapshot: HandshakeSnapshot = {
  surface: 'library',
  initialize: {
    '2025-11-25': '{"protocolVersion":"2025-11-25","serverInfo":{"name":"snapshot"}}',
  },
  initializeOther: '{"protocolVersion":"2025-06-18","serverInfo":{"name":"snapshot"}}',
  toolsList: '{"tools":[{"name":"recorded"}]}',
  toolsListStateless: '{"tools":[{"name":"recorded"}],"ttlMs":0}',
  discover: '{"supportedVersions":["2026-07-28"]}',
  ping: '{}',
  readOnlyTools: ['echo', 'wait_for', 'die_reading', 'pid', 'session'],
};

async function buildEcho(): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'lectern-echo-'));
  process.once('exit', () => rmSync(out, { recursive: true, force: true }));
  cpSync(join(root, 'bin'), join(out, 'bin'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(out, 'node_modules'));
  const buildScript = join(root, 'scripts/build.mjs');
  const { buildProduct } = (await import(buildScript)) as {
    buildProduct(options: { out: string; composition: string }): Promise<void>;
  };
  await buildProduct({ out, composition: join(import.meta.dirname, 'echo-composition.ts') });
  mkdirSync(join(out, 'dist/snapshots'));
  for (const surface of ['library', 'tui']) {
    const snapshot = JSON.stringify({ ...echoSnapshot, surface });
    writeFileSync(join(out, 'dist/snapshots', `${surface}.json`), snapshot);
  }
  return out;
}
