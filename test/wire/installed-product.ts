import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../..');

/** Removed when the test process ends. */
function makePackage(): string {
  const out = mkdtempSync(join(tmpdir(), 'lectern-package-'));
  process.once('exit', () => rmSync(out, { recursive: true, force: true }));
  cpSync(join(repository, 'bin'), join(out, 'bin'), { recursive: true });
  for (const file of ['package.json', 'oclif.manifest.json']) {
    cpSync(join(repository, file), join(out, file));
  }
  for (const folder of ['node_modules', 'models', 'samples']) {
    symlinkSync(join(repository, folder), join(out, folder));
  }
  return out;
}

let installed: string | undefined;

/**
 * The built product in a directory of its own, so that a build in the checkout
 * takes nothing away from a test that runs.
 *
 * @returns its package directory
 */
export function installProduct(): string {
  if (installed !== undefined) return installed;
  if (!existsSync(join(repository, 'dist/cli/main.js'))) {
    throw new Error('the product is not built: npm run build');
  }
  installed = makePackage();
  cpSync(join(repository, 'dist'), join(installed, 'dist'), { recursive: true });
  return installed;
}

/** The product built from here as another version, with another number of the wire's protocol. */
export async function buildVersion(version: string, protocol: number): Promise<string> {
  const out = makePackage();
  const script = join(repository, 'scripts/build.mjs');
  const { buildProduct } = (await import(script)) as {
    buildProduct(options: { out: string; version: string; protocol: number }): Promise<void>;
  };
  await buildProduct({ out, version, protocol });
  return out;
}
