import { build } from 'esbuild';
import { COMPILES_AHEAD, nameOfThisNode } from './compiled-code.cjs';
import { at } from './options.mjs';
import { runScript } from './run-script.mjs';

/**
 * One small file: its size is the start-up time of every agent's server. It is
 * a function of `require` and `__dirname`, which bin/lectern.js calls.
 */
export async function buildProxy(dist, { version, common }) {
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
  return runScript('warm-proxy.cjs', [dist, version, cache], `${lines.join('\n')}\n`);
}
