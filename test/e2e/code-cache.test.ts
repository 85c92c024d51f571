import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { installProduct } from '../wire/installed-product.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TELL_SCRIPT = join(import.meta.dirname, 'tell-script.cjs');

/** Nothing is compiled ahead for a Node in a shared library: see scripts/build/compiled-code.cjs. */
const testCompiled = test.skipIf(
  (process.config.variables as Record<string, unknown>)['node_shared'] === true,
);

/** What everybody's starts load: the bundle, and the command that does. */
const STARTS: [string, string[]][] = [
  ['proxy', ['mcp']],
  ['relay', ['mcp']],
  ['daemon', ['daemon', 'run']],
];

/** Members of `process` as in another Node than the one that built. */
const OTHERS: [string, object][] = [
  ['another release of the same V8', { version: `${process.version}1` }],
  ['another processor', { arch: process.arch === 'x64' ? 'arm64' : 'x64' }],
  // Distributions and musl's builds have the version of nodejs.org's and other built-in code.
  ['another build of the same release', { execPath: TELL_SCRIPT }],
  ['a Node that was replaced while it ran', { execPath: join(ROOT, 'no', 'node') }],
];

/** What a start hands to V8 beside the source of a bundle, and what V8 says to it. */
function start(
  name: string,
  args: string[],
  { other = {}, product = ROOT }: { other?: object; product?: string } = {},
): { isGiven: boolean; isRejected?: boolean } {
  const home = mkdtempSync(join(tmpdir(), 'lectern-cache-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const command = ['--require', TELL_SCRIPT, join(product, 'bin', 'lectern.js'), ...args];
  const env = {
    PATH: process.env['PATH'],
    LECTERN_HOME: home,
    SCRIPT: name,
    OTHER_PROCESS: JSON.stringify(other),
  };
  return JSON.parse(execFileSync(process.execPath, command, { env, encoding: 'utf8' }));
}

testCompiled.each(STARTS)(
  'the %s was built with compiled code that this Node takes (SKIPPED where Node is a shared library)',
  (name, args) => {
    expect(start(name, args), 'run `npm run build` with this Node').toEqual({
      isGiven: true,
      isRejected: false,
    });
  },
);

// V8 takes compiled code of another Node with its own version, and then reads
// memory at addresses that are not its own: nothing may rest on its refusal.
test.each(
  STARTS.flatMap(([name, args]) =>
    OTHERS.map(([other, members]) => ({ name, args, other, members })),
  ).filter(
    // The daemon's native database is the processor's: it would start no further than that.
    ({ name, members }) => !(name === 'daemon' && 'arch' in members),
  ),
)('the $name gives V8 no compiled code of $other', ({ name, args, members }) => {
  expect(start(name, args, { other: members })).toEqual({ isGiven: false });
});

/** What a power cut, a full disk or a bad one makes of a file. */
const DAMAGES: [string, (whole: Buffer) => Buffer][] = [
  ['ends early', (whole) => whole.subarray(0, whole.length / 2)],
  ['is empty', () => Buffer.alloc(0)],
  ['is nothing but zeros', (whole) => Buffer.alloc(whole.length)],
  ['has lost a page', (whole) => Buffer.from(whole).fill(0, 16_384, 20_480)],
  ['has lost its end', (whole) => Buffer.from(whole).fill(0, whole.length - 5_000)],
];

// V8 looks at the length alone, and the process dies while it reads the rest.
testCompiled.each(
  STARTS.flatMap(([name, args]) => DAMAGES.map(([what, damage]) => ({ name, args, what, damage }))),
)('the $name gives V8 no compiled code that $what', ({ name, args, damage }) => {
  const product = installProduct();
  const directory = join(product, 'dist', name === 'daemon' ? 'daemon' : '');
  const cache = readdirSync(directory).find((file) => file.startsWith(`${name}-`))!;
  const file = join(directory, cache);
  const whole = readFileSync(file);
  onTestFinished(() => writeFileSync(file, whole));
  writeFileSync(file, damage(whole));
  expect(start(name, args, { product })).toEqual({ isGiven: false });
});
