// Builds dist/ and oclif.manifest.json; scripts/build/ names the bundler, the
// entries and the externals.
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommandLine, buildTui, writeManifest } from './build/command-line.mjs';
import { COMPILES_AHEAD } from './build/compiled-code.cjs';
import { buildDaemon, warmDaemon } from './build/daemon.mjs';
import { root, stampOptions } from './build/options.mjs';
import { buildProxy } from './build/proxy.mjs';
import { writeSnapshots } from './build/snapshots.mjs';
import { writeNotices } from './build/third-party-licences.mjs';

/**
 * Build the product.
 *
 * @param options.out         package directory that gets dist/
 * @param options.composition module that stands in for daemon/compose.ts: tests
 *                            of the wire serve a surface of their own
 * @param options.version     instead of package.json's, and
 * @param options.protocol    instead of the wire's own number: tests of upgrades
 */
export async function buildProduct(options = {}) {
  const { out = root, composition } = options;
  const isWhole = composition === undefined;
  // Built beside dist/ and renamed into place: a daemon or a test that runs
  // meanwhile never sees half a build.
  const staging = join(out, `dist.building-${process.pid}`);
  const dist = (...parts) => join(staging, ...parts);
  await rm(staging, { recursive: true, force: true });
  const groups = [buildProxy, buildDaemon, ...(isWhole ? [buildCommandLine, buildTui] : [])];
  const packages = new Set();
  const stamped = stampOptions(options, packages);
  try {
    // All of them come to an end before one's failure does, or they would write on into what is removed.
    const results = await Promise.allSettled(
      groups.map((group) => group(dist, stamped, composition)),
    );
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (isWhole) await writeSnapshots(dist, stamped);
    await writeFile(dist('THIRD-PARTY-LICENCES.txt'), writeNotices(packages));
    await replaceDist(out, staging);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  if (out === root) await writeManifest();
  // Last: it uses everything above, in a fresh clone the manifest too.
  if (isWhole && COMPILES_AHEAD) await warmDaemon(join(out, 'dist'));
}

async function replaceDist(out, staging) {
  const current = join(out, 'dist');
  const old = join(out, `dist.old-${process.pid}`);
  if (existsSync(current)) await rename(current, old);
  await rename(staging, current);
  await rm(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProduct();
