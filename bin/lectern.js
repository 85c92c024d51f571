#!/usr/bin/env node
'use strict';
// The router: what an agent host waits for starts before anything else is
// loaded. CommonJS, because Node starts it 5-8 % faster than a module.
const args = globalsLast(process.argv.slice(2));
process.argv.splice(2, process.argv.length, ...args);

if (args[0] === 'mcp' && !args.includes('--help') && !args.includes('-h')) {
  startProxy();
} else if (args[0] === 'daemon' && (args[1] === 'run' || args[1] === '--stdio')) {
  // The daemon's entry reads what follows `daemon`.
  process.argv.splice(2, 1);
  load('../dist/daemon/main.cjs');
} else if (args[0] === 'tui') {
  // Raw arguments: this program has its own flags, and its own errors for them.
  load('../dist/tui/main.js', (tui) => tui.main(args.slice(1)));
} else if (args[0] === 'help' && args[1] === 'tui') {
  load('../dist/tui/main.js', (tui) => tui.main(['help']));
} else {
  load('../dist/cli/main.js', (cli) => cli.main(args, require('node:path').join(__dirname, '..')));
}

/** `-w team status` is `status -w team`: global flags before the command go behind it. */
function globalsLast(words) {
  let at = 0;
  for (;;) {
    const word = words[at] ?? '';
    if (word === '-w' || word === '--workspace') at += 2;
    else if (/^(-v|--json|--no-color|--verbose|--non-interactive|--workspace=.*|-w.+)$/.test(word))
      at += 1;
    else break;
  }
  if (at === 0 || at > words.length) return words;
  const end = words.indexOf('--', at);
  const rest = end === -1 ? [] : words.slice(end);
  const command = words.slice(at, end === -1 ? words.length : end);
  // Flags of no command: what `lectern` alone prints.
  return command.length === 0 ? rest : [...command, ...words.slice(0, at), ...rest];
}

/** The proxy, in parts, with the machine code's precursor that the build left beside each: 4 ms of 70 less. */
function startProxy() {
  const { readFileSync, statSync } = require('node:fs');
  const { join } = require('node:path');
  const { Script } = require('node:vm');
  const dist = join(__dirname, '..', 'dist');
  if (isUnbuilt()) return;
  loadPart('proxy');

  function loadPart(name) {
    const filename = join(dist, `${name}.cjs`);
    let cachedData;
    try {
      // Only what this very Node compiled: see scripts/build/compiled-code.cjs.
      const node = `${process.version}-${process.platform}-${process.arch}-${statSync(process.execPath).size}`;
      cachedData = unseal(readFileSync(join(dist, `${name}-${node}.cache`)));
    } catch {
      // Compiled as always.
    }
    const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData });
    return script.runInThisContext()(require, dist, loadPart);
  }
}

/** Compiled code that is whole: see scripts/build/compiled-code.cjs; undefined otherwise. */
function unseal(sealed) {
  const end = sealed.length - 4;
  let sum = 1;
  for (let at = 0; at < end; at += 64) sum = (Math.imul(sum, 31) + sealed[at]) | 0;
  return sealed.readInt32LE(end) === sum ? sealed.subarray(0, end) : undefined;
}

function load(path, start) {
  if (isUnbuilt()) return;
  import(path).then(start).catch((error) => {
    process.stderr.write(`error: ${error?.message}\n`);
    process.exitCode = 1;
  });
}

/** A fresh clone has no dist/; a person is told what makes it. */
function isUnbuilt() {
  const { existsSync } = require('node:fs');
  const { join } = require('node:path');
  if (existsSync(join(__dirname, '..', 'dist', 'proxy.cjs'))) return false;
  process.stderr.write(
    `error: lectern is not built\nnext: npm run build, in ${join(__dirname, '..')}\n`,
  );
  process.exitCode = 1;
  return true;
}
