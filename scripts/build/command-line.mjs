import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { asModules, at, commonJsBanner, NATIVE, root } from './options.mjs';

/** What oclif loads only while a TypeScript CLI is developed. */
const OCLIF_OPTIONAL = ['typescript', 'ts-node', 'tsx'];

/** oclif finds commands by path: one file each, sharing chunks. */
export async function buildCommandLine(dist, { common }) {
  const commands = readdirSync(at('src/commands'), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll('\\', '/').slice(0, -'.ts'.length));
  await build({
    ...common,
    ...asModules,
    entryPoints: {
      main: at('src/cli/main.ts'),
      ...Object.fromEntries(
        commands.map((name) => [`commands/${name}`, at('src/commands', `${name}.ts`)]),
      ),
    },
    outdir: dist('cli'),
    define: { ...common.define, ...(await topAssets()) },
    // oclif is inside: reading its hundred files took half of a command's time.
    external: [...NATIVE, ...OCLIF_OPTIONAL],
    banner: commonJsBanner,
  });
}

/** The dashboard's document and sheet, as constants of the bundle. */
async function topAssets() {
  const text = async (file) => JSON.stringify(await readFile(at('src/top', file), 'utf8'));
  return {
    __LECTERN_TOP_DOCUMENT__: await text('top.tui'),
    __LECTERN_TOP_SHEET__: await text('top.tcss'),
  };
}

/** `lectern tui`: raw arguments, no oclif. */
export async function buildTui(dist, { common }) {
  await build({
    ...common,
    ...asModules,
    entryPoints: { main: at('src/tui/main.ts') },
    outdir: dist('tui'),
    external: NATIVE,
    banner: commonJsBanner,
  });
}

/** Lets oclif know every command's flags without loading any command. */
export async function writeManifest() {
  const { Plugin } = await import('@oclif/core');
  const plugin = new Plugin({
    root,
    type: 'core',
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  });
  await plugin.load();
  await writeFile(at('oclif.manifest.json'), `${JSON.stringify(plugin.manifest, null, 2)}\n`);
}
