#!/usr/bin/env node
'use strict';
// The router: what an agent host waits for starts before anything else is
// loaded. CommonJS, because Node starts it 5-8 % faster than a module.
const args = process.argv.slice(2);

if (args[0] === 'mcp' && !args.includes('--help') && !args.includes('-h')) {
  startProxy();
} else if (args[0] === 'daemon' && (args[1] === 'run' || args[1] === '--stdio')) {
  // The daemon's entry reads what follows `daemon`.
  process.argv.splice(2, 1);
  load('../dist/daemon/main.js');
} else if (args[0] === 'tui' && args.length > 1 && args[1] !== '--help') {
  // Raw arguments: this program has its own flags, and its own errors for them.
  load('../dist/tui/main.js', (tui) => tui.main(args.slice(1)));
} else if (args[0] === 'suggest' || args[0] === 'hook') {
  load('../dist/fast/main.js', (fast) => fast.main(args));
} else {
  load('../dist/cli/main.js', (cli) => cli.main(args, require('node:path').join(__dirname, '..')));
}

/** The proxy, with the machine code's precursor that the build left beside it: 4 ms of 70 less. */
function startProxy() {
  const { readFileSync } = require('node:fs');
  const { join } = require('node:path');
  const { Script } = require('node:vm');
  const dist = join(__dirname, '..', 'dist');
  const filename = join(dist, 'proxy.cjs');
  let cachedData;
  try {
    cachedData = readFileSync(join(dist, 'proxy.cache'));
  } catch {
    // Compiled as always.
  }
  new Script(readFileSync(filename, 'utf8'), { filename, cachedData }).runInThisContext()(
    require,
    dist,
  );
}

function load(path, start) {
  import(path).then(start).catch((error) => {
    process.stderr.write(`error: ${error?.message}\n`);
    process.exitCode = 1;
  });
}
