// Writes what V8 compiled of the daemon while it enrolled a catalog and answered
// an agent, so that a cold start under the same Node compiles nothing.
//
// Run as: node scripts/build/warm-daemon.cjs DIST PACKAGE_ROOT FILE
'use strict';
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const {
  chmodSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { createInterface } = require('node:readline');
const vm = require('node:vm');
const { sealCompiled } = require('./compiled-code.cjs');

const [dist, packageRoot, cache] = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), 'lectern-warm-'));

/** A daemon that has not come up by then will not. */
const DEADLINE_MS = 60_000;
const LOOK_MS = 20;

const CLIENT = { name: 'warm', version: '0' };
const REQUESTS = [
  ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT }],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['tools/call', { name: 'search_skills', arguments: { query: 'write a commit message' } }],
  ['tools/call', { name: 'search_skills', arguments: { query: 'look for mistakes in a change' } }],
  ['tools/call', { name: 'status', arguments: {} }],
];

async function main() {
  process.env.LECTERN_HOME = root;
  process.argv = [process.argv[0], 'lectern', 'run'];
  const daemon = catchScript();
  require(join(dist, 'daemon', 'main.cjs'));
  await comeUp();
  await enrol();
  await ask();
  // Renamed into place: a daemon that starts meanwhile finds all of it or nothing.
  writeFileSync(`${cache}.new`, sealCompiled(daemon().createCachedData()));
  // The daemon has set its umask for this process; who installs may not be who runs.
  chmodSync(`${cache}.new`, 0o644);
  renameSync(`${cache}.new`, cache);
}

/** The script that the daemon's entry makes of its bundle. @returns asks for it */
function catchScript() {
  const { Script } = vm;
  let caught;
  vm.Script = class extends Script {
    constructor(...given) {
      super(...given);
      caught = this;
    }
  };
  return () => caught;
}

async function comeUp() {
  for (let waited = 0; !existsSync(join(root, 'daemon.json')); waited += LOOK_MS) {
    if (waited > DEADLINE_MS) throw new Error('the daemon did not start');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** This process is the daemon, so its clients must not block it. */
function run(code, stdin) {
  return spawn(process.execPath, ['-e', code, '--', 'lectern', 'mcp'], {
    stdio: [stdin, 'pipe', 'inherit'],
  });
}

async function enrol() {
  const cli = JSON.stringify(pathToFileURL(join(dist, 'cli', 'main.js')).href);
  const args = ['catalog', 'add', join(packageRoot, 'samples', 'starter'), '--enable', '--json'];
  const code = `import(${cli}).then((cli) => cli.main(${JSON.stringify(args)}, ${JSON.stringify(packageRoot)}))`;
  const child = run(code, 'ignore');
  child.stdout.resume();
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`enrolling ended with ${exitCode}`);
}

async function ask() {
  const child = run(
    `const dist = ${JSON.stringify(dist)};
    const read = (name) => fs.readFileSync(path.join(dist, name + '.cjs'), 'utf8');
    const load = (name) => new vm.Script(read(name)).runInThisContext()(require, dist, load);
    load('proxy');`,
    'pipe',
  );
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const [at, [method, params]] of REQUESTS.entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: at, method, params })}\n`);
    for (;;) {
      const { value, done } = await answers.next();
      if (done) throw new Error('the proxy ended');
      const { id, error } = JSON.parse(value);
      if (id !== at) continue;
      // What is refused compiles nothing of what answers.
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      break;
    }
  }
  child.stdin.end();
  await once(child, 'exit');
}

main()
  .then(
    () => 0,
    (error) => {
      process.stderr.write(`warming the daemon failed: ${error.message}\n`);
      return 1;
    },
  )
  .then((code) => {
    process.once('exit', () => rmSync(root, { recursive: true, force: true }));
    process.exit(code);
  });
