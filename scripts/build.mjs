// Builds dist/ and oclif.manifest.json. The one place that names the bundler,
// the entries and the externals.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { notePackages, writeNotices } from './third-party-licences.mjs';

const self = fileURLToPath(import.meta.url);
const root = join(dirname(self), '..');
const at = (...parts) => join(root, ...parts);
const { version: packageVersion } = JSON.parse(await readFile(at('package.json'), 'utf8'));

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

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  legalComments: 'none',
  charset: 'utf8',
  // Its UMD build requires files by names that a bundler cannot follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
};

/** Everything that all bundles share, with the version that they tell. */
function stamp({ version = packageVersion, protocol }, packages) {
  const otherProtocol = {
    name: 'other-protocol',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\/protocol\/link\/hello\.ts$/ }, async ({ path }) => ({
        loader: 'ts',
        contents: (await readFile(path, 'utf8')).replace(/(PROTOCOL = )\d+/, `$1${protocol}`),
      })),
  };
  return {
    ...shared,
    version,
    define: {
      __LECTERN_VERSION__: JSON.stringify(version),
      // Node 21 and Node 22 before 22.3 lack it, and every bundle has the other.
      'process.getBuiltinModule': 'require',
    },
    plugins: [
      notePackages(root, packages),
      englishOnly,
      ...(protocol === undefined ? [] : [otherProtocol]),
    ],
  };
}

/** Zod brings its messages in fifty languages, which every start would read; ours are in one. */
const englishOnly = {
  name: 'english-only',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
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

/** What oclif loads only while a TypeScript CLI is developed. */
const OCLIF_OPTIONAL = ['typescript', 'ts-node', 'tsx'];

const asModules = {
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
};

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
  // Built beside dist/ and renamed into place: a daemon or a test that runs
  // meanwhile never sees half a build.
  const staging = join(out, `dist.building-${process.pid}`);
  const dist = (...parts) => join(staging, ...parts);
  await rm(staging, { recursive: true, force: true });
  const groups = composition === undefined ? [proxy, daemon, cli, tui, fast] : [proxy, daemon];
  const packages = new Set();
  const stamped = stamp(options, packages);
  try {
    // All of them come to an end before one's failure does, or they would write on into what is removed.
    const results = await Promise.allSettled(
      groups.map((group) => group(dist, stamped, composition)),
    );
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (composition === undefined) await writeSnapshots(dist, stamped);
    await writeFile(dist('THIRD-PARTY-LICENCES.txt'), writeNotices(packages));
    await replaceDist(out, staging);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  if (out === root) await writeManifest();
  // Last: it uses everything above, in a fresh clone the manifest too.
  if (composition === undefined && COMPILES_AHEAD) {
    const cache = join(out, 'dist', 'daemon', `daemon-${nameOfThisNode()}.cache`);
    await runScript('scripts/warm-daemon.cjs', [join(out, 'dist'), root, cache]);
  }
}

/**
 * One small file: its size is the start-up time of every agent's server. It is
 * a function of `require` and `__dirname`, which bin/lectern.js calls.
 */
async function proxy(dist, { version, ...common }) {
  await build({
    ...common,
    entryPoints: [at('proxy/main.ts')],
    outfile: dist('proxy.cjs'),
    format: 'cjs',
    minify: true,
    // A script has no loader of its own for `import()`.
    supported: { 'dynamic-import': false },
    define: { ...common.define, 'import.meta.dirname': '__dirname' },
    banner: { js: '(function (require, __dirname) {' },
    footer: { js: '})' },
  });
  if (COMPILES_AHEAD) await warmProxy(dist(), version, dist(`proxy-${nameOfThisNode()}.cache`));
}

/**
 * False for a Node whose own code is in a shared library, as some distributions
 * build it: that may be replaced by a patched one and the program beside it look
 * as it did.
 */
const COMPILES_AHEAD = process.config.variables.node_shared !== true;

/**
 * What compiled code is called after: the Node that compiled it, to the byte.
 * V8 does not do enough to refuse another's. It compares its own version, which
 * Node 20.19 and 20.20 share, and not its built-in code, which they do not: one
 * that takes what the other compiled reads memory at the other's addresses and
 * dies. Nor does it look at the processor. bin/lectern.js and daemon/boot.ts make
 * the same name for themselves, since each reads one file at most.
 */
function nameOfThisNode() {
  const { version, platform, arch, execPath } = process;
  return `${version}-${platform}-${arch}-${statSync(execPath).size}`;
}

/** Let V8 compile the proxy once, in a handshake with a stand-in for the daemon. */
function warmProxy(dist, version, cache) {
  const requests = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { roots: { listChanged: true } },
        clientInfo: { name: 'warm', version: '0' },
      },
    },
    { id: 2, method: 'tools/list' },
  ];
  const lines = requests.map((request) => JSON.stringify({ jsonrpc: '2.0', ...request }));
  return runScript('scripts/warm-proxy.cjs', [dist, version, cache], `${lines.join('\n')}\n`);
}

/** Run a script of ours to its end. Its input stays open: the end of it would end a proxy. */
function runScript(script, args, input = '') {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [at(script), ...args], (error) =>
      error === null ? resolve() : reject(error),
    );
    child.stdin.write(input);
  });
}

/**
 * The daemon, its threads and its child, each a function of its surroundings.
 * Everything but native code is inside, and the daemon keeps the text of its
 * parts, so that a package replaced under it takes nothing away from it.
 */
async function daemon(dist, { version, ...common }, composition) {
  const standIn = {
    name: 'stand-in',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /\/compose\.ts$/ }, () => ({ path: composition }));
      // It has no model.
      onLoad({ filter: /\/embedder\/boot-child\.ts$/ }, () => ({
        contents: 'export const bootEmbedder = async () => undefined;',
      }));
    },
  };
  const commonJs = {
    ...common,
    outdir: dist('daemon'),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    // One byte a character in the memory of every daemon, and read as such.
    charset: 'ascii',
    minifyWhitespace: true,
    // A script has no loader of its own for `import()`.
    supported: { 'dynamic-import': false },
    external: NATIVE,
  };
  const define = {
    ...common.define,
    'import.meta.url': '__moduleUrl',
    'import.meta.dirname': '__dirname',
  };
  const plugins = composition === undefined ? common.plugins : [...common.plugins, standIn];
  await build({
    ...commonJs,
    entryPoints: entries({
      daemon: 'daemon/serve.ts',
      ...(composition === undefined
        ? {
            indexer: 'daemon/indexer/main.ts',
            tui: 'daemon/tui/main.ts',
            'hang-watch': 'daemon/hang-watch/main.ts',
            embedder: 'daemon/embedder/main.ts',
          }
        : {}),
    }),
    define,
    banner: {
      js: '(function (require, __filename, __dirname, __moduleUrl) {const module = { exports: {} };',
    },
    footer: { js: 'return module.exports;})' },
    plugins,
  });
  await build({
    ...commonJs,
    entryPoints: { main: at('daemon/boot.ts') },
    define,
    banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins,
  });
}

/** oclif finds commands by path: one file each, sharing chunks. */
async function cli(dist, { version, ...common }) {
  const commands = readdirSync(at('src/commands'), { recursive: true }).filter((file) =>
    file.endsWith('.ts'),
  );
  return build({
    ...common,
    ...asModules,
    entryPoints: {
      ...entries({ main: 'src/cli/main.ts' }),
      ...Object.fromEntries(
        commands.map((file) => [
          `commands/${file.replaceAll('\\', '/').slice(0, -'.ts'.length)}`,
          at('src/commands', file),
        ]),
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
function tui(dist, stamped) {
  return bundle(dist, stamped, 'tui');
}

/** `lectern suggest` and hook commands: whole processes within 100 ms. */
function fast(dist, stamped) {
  return bundle(dist, stamped, 'fast');
}

async function bundle(dist, { version, ...common }, name) {
  const entryPoints = entries({ main: `src/${name}/main.ts` });
  if (Object.keys(entryPoints).length === 0) return;
  await build({
    ...common,
    ...asModules,
    entryPoints,
    outdir: dist(name),
    external: NATIVE,
    banner: commonJsBanner,
  });
}

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
async function writeSnapshots(dist, { version, ...common }) {
  await mkdir(dist('snapshots'), { recursive: true });
  const source = at('src/mcp/handshake-snapshot.ts');
  let makeHandshakeSnapshot;
  if (existsSync(source)) {
    const outfile = dist('snapshots', 'make.mjs');
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
    await writeFile(dist('snapshots', `${surface}.json`), JSON.stringify(snapshot));
  }
}

async function replaceDist(out, staging) {
  const current = join(out, 'dist');
  const old = join(out, `dist.old-${process.pid}`);
  if (existsSync(current)) await rename(current, old);
  await rename(staging, current);
  await rm(old, { recursive: true, force: true });
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

if (process.argv[1] === self) await buildProduct();
