import { build } from 'esbuild';
import { COMPILES_AHEAD, nameOfThisNode } from './compiled-code.cjs';
import { at } from './options.mjs';
import { runScript } from './run-script.mjs';

/** What answers a client's first line, and what is loaded behind that answer. */
const PARTS = { proxy: 'proxy/main.ts', relay: 'proxy/open-relay.ts' };

/**
 * Two small files: the size of the first is the start-up time of every agent's
 * server. Each is a function that bin/lectern.js calls, and that returns its exports.
 */
export async function buildProxy(dist, { version, common }) {
  await build({
    ...common,
    entryPoints: Object.entries(PARTS).map(([out, entry]) => ({ in: at(entry), out })),
    outdir: dist(),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    // A script has no loader of its own for `import()`.
    supported: { 'dynamic-import': false },
    define: { ...common.define, 'import.meta.dirname': '__dirname' },
    banner: { js: '(function (require, __dirname, loadPart) { const module = { exports: {} };' },
    footer: { js: 'return module.exports; })' },
  });
  if (COMPILES_AHEAD) await warmProxy(dist(), version);
}

/** Let V8 compile the proxy once, in a handshake with a stand-in for the daemon. */
function warmProxy(dist, version) {
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
  return runScript('warm-proxy.cjs', [dist, version, nameOfThisNode()], `${lines.join('\n')}\n`);
}
