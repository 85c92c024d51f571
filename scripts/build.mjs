// Builds dist/ and oclif.manifest.json. The one place that names the bundler,
// the entries and the externals.
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => join(root, ...parts);
const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'));

/** Native code cannot be bundled, and what is optional must be able to be absent. */
const NATIVE = [
  'libsql',
  'onnxruntime-node',
  'onnxruntime-common',
  'hnswlib-node',
  'fastembed',
  '@anush008/tokenizers',
];

const SURFACES = ['library', 'registry', 'tui'];

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  legalComments: 'none',
  charset: 'utf8',
  define: { __LECTERN_VERSION__: JSON.stringify(version) },
};

/** Bundled CommonJS packages expect what a module does not have. */
const commonJsBanner = {
  js: [
    "import { createRequire as createBundleRequire } from 'node:module';",
    'const require = createBundleRequire(import.meta.url);',
    'const __filename = import.meta.filename;',
    'const __dirname = import.meta.dirname;',
  ].join('\n'),
};

const modules = {
  ...common,
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
};

await rm(at('dist'), { recursive: true, force: true });

await Promise.all([
  // One small file: its size is the start-up time of every agent's server.
  build({
    ...common,
    entryPoints: [at('proxy/main.ts')],
    outfile: at('dist/proxy.cjs'),
    format: 'cjs',
    minify: true,
    define: { ...common.define, 'import.meta.dirname': '__dirname' },
  }),

  // Everything but native code is inside, so that a package replaced under a
  // running daemon takes nothing away from it.
  build({
    ...modules,
    entryPoints: entries({
      main: 'daemon/main.ts',
      indexer: 'daemon/indexer/main.ts',
      embedder: 'daemon/embedder/main.ts',
    }),
    outdir: at('dist/daemon'),
    external: NATIVE,
    banner: commonJsBanner,
  }),

  // oclif finds commands by path: one file each, sharing chunks.
  build({
    ...modules,
    entryPoints: Object.fromEntries([
      ...Object.entries(entries({ main: 'src/cli/main.ts' })),
      ...readdirSync(at('src/commands'), { recursive: true })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => [
          `commands/${file.replaceAll('\\', '/').slice(0, -'.ts'.length)}`,
          at('src/commands', file),
        ]),
    ]),
    outdir: at('dist/cli'),
    packages: 'external',
  }),

  ...['tui', 'fast'].flatMap((name) => {
    const entryPoints = entries({ main: `src/${name}/main.ts` });
    if (Object.keys(entryPoints).length === 0) return [];
    return [
      build({
        ...modules,
        entryPoints,
        outdir: at('dist', name),
        external: NATIVE,
        banner: commonJsBanner,
      }),
    ];
  }),
]);

await writeSnapshots();
await writeManifest();

/** Entry points whose sources exist. */
function entries(named) {
  return Object.fromEntries(
    Object.entries(named)
      .filter(([, file]) => existsSync(at(file)))
      .map(([name, file]) => [name, at(file)]),
  );
}

/**
 * What a proxy answers while no daemon is there yet: each surface is run once,
 * from the sources just built, and its handshake recorded.
 */
async function writeSnapshots() {
  await mkdir(at('dist/snapshots'), { recursive: true });
  const source = at('src/mcp/handshake-snapshot.ts');
  let makeHandshakeSnapshot;
  if (existsSync(source)) {
    const outfile = at('dist/snapshots/make.mjs');
    await build({
      ...common,
      entryPoints: [source],
      outfile,
      format: 'esm',
      external: NATIVE,
      banner: commonJsBanner,
    });
    ({ makeHandshakeSnapshot } = await import(pathToFileURL(outfile).href));
    await rm(outfile);
  }
  for (const surface of SURFACES) {
    const snapshot = (await makeHandshakeSnapshot?.(surface)) ?? null;
    if (snapshot === null) continue;
    await writeFile(at('dist/snapshots', `${surface}.json`), JSON.stringify(snapshot));
  }
}

/** Lets oclif know every command's flags without loading any command. */
async function writeManifest() {
  if (!existsSync(at('dist/cli/main.js'))) return;
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
