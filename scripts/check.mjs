// `npm run check`: types, lint, boundaries and the fast tests, side by side;
// under 20 s on two cores. Run before each commit. Needs no build.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Not fast: these start processes, clone repositories, run minutes of generated cases, or need the built product. */
const SLOW = [
  'test/{e2e,faults,daemon,proxy,indexer,wire,http}/**',
  'test/catalog/{git,hostile}.test.ts',
  'test/library/catalogs.test.ts',
  'test/library/corpus.test.ts',
  'test/protocol/client.test.ts',
  'test/tui/robust.test.ts',
  'test/search/embedder.test.ts',
  'test/top/document.test.ts',
  'test/tui/frame/laws.test.ts',
  'test/tui/markup/scan.test.ts',
  'test/tui/run/live.test.ts',
];

const steps = [
  ['types', bin('tsc'), ['-p', '.']],
  ['lint', bin('biome'), ['check', '.']],
  [
    'tests',
    bin('vitest'),
    // One module cache for all files halves the time; `npm test` isolates them.
    ['run', '--reporter=dot', '--no-isolate', ...SLOW.flatMap((pattern) => ['--exclude', pattern])],
  ],
];

const startedAt = performance.now();
const results = await Promise.all(steps.map(([name, command, args]) => run(name, command, args)));
for (const { name, code, output, seconds } of results) {
  if (code !== 0) console.log(output);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(6)} ${seconds.toFixed(1)} s`);
}
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s in all`);
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;

function run(name, command, args) {
  const begun = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => resolve({ name, code: 1, output: error.message, seconds: 0 }));
    child.once('close', (code) => {
      resolve({ name, code, output, seconds: (performance.now() - begun) / 1000 });
    });
  });
}
