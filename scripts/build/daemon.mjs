import { join } from 'node:path';
import { build } from 'esbuild';
import { nameOfThisNode } from './compiled-code.cjs';
import { at, NATIVE, root } from './options.mjs';
import { runScript } from './run-script.mjs';

/** Threads and the child of the daemon, by the name of their bundle. */
const PARTS = {
  indexer: at('daemon/indexer/main.ts'),
  tui: at('daemon/tui/main.ts'),
  'hang-watch': at('daemon/hang-watch/main.ts'),
  embedder: at('daemon/embedder/main.ts'),
};

/**
 * The daemon, its threads and its child, each a function of its surroundings.
 * Everything but native code is inside, and the daemon keeps the text of its
 * parts, so that a package replaced under it takes nothing away from it.
 *
 * @param composition see `buildProduct`; such a daemon has no parts
 */
export async function buildDaemon(dist, { common }, composition) {
  const isWhole = composition === undefined;
  const bundle = {
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
    define: {
      ...common.define,
      'import.meta.url': '__moduleUrl',
      'import.meta.dirname': '__dirname',
    },
    plugins: isWhole ? common.plugins : [...common.plugins, standIn(composition)],
  };
  await build({
    ...bundle,
    entryPoints: { daemon: at('daemon/serve.ts'), ...(isWhole ? PARTS : {}) },
    banner: {
      js: '(function (require, __filename, __dirname, __moduleUrl) {const module = { exports: {} };',
    },
    footer: { js: 'return module.exports;})' },
  });
  await build({
    ...bundle,
    entryPoints: { main: at('daemon/boot.ts') },
    banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
}

function standIn(composition) {
  return {
    name: 'stand-in',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /\/compose\.ts$/ }, () => ({ path: composition }));
      // It has no model.
      onLoad({ filter: /\/embedder\/boot-child\.ts$/ }, () => ({
        contents: 'export const bootEmbedder = async () => undefined;',
      }));
    },
  };
}

/** Let V8 compile the daemon once, while it serves an agent; `dist` is in its place by now. */
export function warmDaemon(dist) {
  const cache = join(dist, 'daemon', `daemon-${nameOfThisNode()}.cache`);
  return runScript('warm-daemon.cjs', [dist, root, cache]);
}
