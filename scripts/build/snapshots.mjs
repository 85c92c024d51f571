import { mkdir, rm, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { at, commonJsBanner, NATIVE } from './options.mjs';

const SURFACES = ['library', 'registry', 'tui'];

/**
 * What a proxy answers while no daemon is there yet: each surface is run once,
 * from the sources just built, and its handshake recorded.
 */
export async function writeSnapshots(dist, { common }) {
  await mkdir(dist('snapshots'), { recursive: true });
  const outfile = dist('snapshots', 'make.mjs');
  await build({
    ...common,
    entryPoints: [at('src/mcp/handshake-snapshot.ts')],
    outfile,
    format: 'esm',
    external: NATIVE,
    banner: commonJsBanner,
  });
  const { makeHandshakeSnapshot } = await import(pathToFileURL(outfile).href);
  await rm(outfile);
  for (const surface of SURFACES) {
    const snapshot = await makeHandshakeSnapshot(surface);
    if (snapshot === null) continue;
    await writeFile(dist('snapshots', `${surface}.json`), JSON.stringify(snapshot));
  }
}
