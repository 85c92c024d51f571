import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { childrenOf } from '../../scripts/bench/process-memory.ts';
import { eventually } from '../eventually.ts';
import { buildVersion } from '../wire/installed-product.ts';
import { faultOf, type LibraryBench, openLibraryBench } from '../wire/library-bench.ts';
import type { McpProcess } from '../wire/mcp-process.ts';
import { startDaemonsWith } from '../wire/start-with.ts';

const MINUTES = 60_000;
const OLD = { version: '1.0.0', protocol: 1 };
const NEW = { version: '2.0.0', protocol: 2 };

let older: string;
let newer: string;
beforeAll(async () => {
  older = await buildVersion(OLD.version, OLD.protocol);
  newer = await buildVersion(NEW.version, NEW.protocol);
}, 2 * MINUTES);

async function ask(bench: LibraryBench, proxy: McpProcess, number = 0) {
  const question = bench.question(number);
  return faultOf(question, await proxy.call(question.tool, question.args));
}

/** A bench whose daemon is that of `product`, with a session of the same version. */
async function openWith(product: string) {
  const bench = openLibraryBench({ product, skills: 6 });
  await bench.enrol();
  const proxy = bench.start();
  await proxy.handshake();
  expect(await ask(bench, proxy)).toBeUndefined();
  return { bench, proxy };
}

test(
  'a newer proxy retires the older daemon; the old session goes on, and nothing is lost',
  async () => {
    const { bench, proxy } = await openWith(older);
    const before = await bench.daemon();
    expect(before).toMatchObject(OLD);
    // In flight while the daemon changes under them.
    const inFlight = Array.from({ length: 30 }, (_, number) => ask(bench, proxy, number));
    const late = bench.start([], { product: newer });
    expect(await ask(bench, late, 1)).toBeUndefined();
    expect((await Promise.all(inFlight)).filter((fault) => fault !== undefined)).toEqual([]);
    const after = await bench.daemon();
    expect(after).toMatchObject(NEW);
    expect(after.pid).not.toBe(before.pid);
    for (let number = 0; number < 6; number += 1) {
      expect(await ask(bench, proxy, number)).toBeUndefined();
      expect(await ask(bench, late, number)).toBeUndefined();
    }
    expect(bench.daemonPids()).toEqual([after.pid]);
    expect(proxy.stderr + late.stderr).toBe('');
  },
  2 * MINUTES,
);

test(
  'an older proxy works with the newer daemon, which stays',
  async () => {
    const { bench, proxy } = await openWith(newer);
    const { pid } = await bench.daemon();
    const late = bench.start([], { product: older });
    await late.handshake();
    for (let number = 0; number < 6; number += 1) {
      expect(await ask(bench, late, number)).toBeUndefined();
    }
    expect(await ask(bench, proxy)).toBeUndefined();
    expect(bench.daemonPids()).toEqual([pid]);
    expect(await bench.daemon()).toMatchObject({ pid, ...NEW });
  },
  2 * MINUTES,
);

test(
  'never a downgrade: an older proxy alone starts the newer daemon, after a crash and after a stop',
  async () => {
    const { bench, proxy } = await openWith(newer);
    process.kill((await bench.daemon()).pid, 'SIGKILL');
    proxy.child.kill('SIGKILL');
    await proxy.exited;
    const crashed = bench.start([], { product: older });
    expect(await ask(bench, crashed)).toBeUndefined();
    expect(await bench.daemon()).toMatchObject(NEW);
    await crashed.end();
    await bench.cli('daemon', 'stop');
    await eventually(() => expect(bench.daemonPids()).toEqual([]));
    const stopped = bench.start([], { product: older });
    expect(await ask(bench, stopped)).toBeUndefined();
    expect(await bench.daemon()).toMatchObject(NEW);
  },
  2 * MINUTES,
);

test(
  'where the newer one is not installed any more, the older one serves',
  async () => {
    const gone = join(newer, '..', `lectern-gone-${process.pid}`);
    cpSync(newer, gone, { recursive: true, verbatimSymlinks: true });
    onTestFinished(() => rmSync(gone, { recursive: true, force: true }));
    const { bench, proxy } = await openWith(gone);
    proxy.child.kill('SIGKILL');
    await bench.cli('daemon', 'stop');
    rmSync(gone, { recursive: true });
    const late = bench.start([], { product: older });
    expect(await ask(bench, late)).toBeUndefined();
    expect(await bench.daemon()).toMatchObject(OLD);
  },
  2 * MINUTES,
);

test(
  'twenty newer proxies at once replace the older daemon once',
  async () => {
    const { bench } = await openWith(older);
    const late = Array.from({ length: 20 }, () => bench.start([], { product: newer }));
    const faults = await Promise.all(late.map((proxy, number) => ask(bench, proxy, number)));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    expect(await bench.daemon()).toMatchObject(NEW);
    await eventually(() => expect(bench.daemonPids()).toHaveLength(1));
  },
  2 * MINUTES,
);

test.each([
  ['a surface that it has not', ['--surface', 'registry']],
  ['a name that it does not take', ['--workspace', 'a.b']],
  ['a flag that is too long for it', ['--harness', 'h'.repeat(300)]],
])(
  'a newer proxy that the older daemon refuses for %s retires it all the same',
  async (_, args) => {
    const { bench, proxy } = await openWith(older);
    const late = bench.start(args, { product: newer });
    await eventually(async () => expect(await bench.daemon()).toMatchObject(NEW), 20_000);
    const { pid } = await bench.daemon();
    // The newer one has the last word.
    expect((await late.call('search_skills', { query: 'a' })).error).toBeDefined();
    expect(await ask(bench, proxy)).toBeUndefined();
    expect(bench.daemonPids()).toEqual([pid]);
  },
  2 * MINUTES,
);

/** A package of its own, since its files are to be taken away. */
function copyPackage(product: string): string {
  const copy = join(product, '..', `lectern-replaced-${process.pid}`);
  cpSync(product, copy, { recursive: true, verbatimSymlinks: true });
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  return copy;
}

/** Put files in the package's place that break whoever loads them. */
function replaceByRubble(product: string): void {
  renameSync(join(product, 'dist'), join(product, 'dist-away'));
  for (const folder of ['', 'daemon', 'cli']) mkdirSync(join(product, 'dist', folder));
  const files = [
    'proxy.cjs',
    'relay.cjs',
    ...readdirSync(join(product, 'dist-away/daemon')).map((f) => `daemon/${f}`),
  ];
  for (const file of files) writeFileSync(join(product, 'dist', file), 'throw new Error("rubble")');
}

test(
  'installed files replaced under live sessions: search, load, save, reindex, and what dies is started again',
  async () => {
    const product = copyPackage(older);
    const bench = openLibraryBench({
      product,
      skills: 6,
      env: { LECTERN_CRASH_ON: 'deadly-care/SKILL.md', LECTERN_CRASH_WHAT: 'thread' },
    });
    startDaemonsWith(bench, join(import.meta.dirname, 'crash-on.cjs'));
    await bench.enrol();
    const proxy = bench.start();
    const drawing = bench.start(['--surface', 'tui']);
    await proxy.handshake();
    await drawing.handshake();
    // Both are live: the daemon has answered each.
    expect(await ask(bench, proxy, 0)).toBeUndefined();
    expect((await drawing.request('ping')).result).toEqual({});
    const { pid } = await bench.daemon();
    const scoring = async (query: string) => {
      const { matches, scoring } = (await proxy.call('search_skills', { query })).result!
        .structuredContent;
      return { best: matches[0]?.name, description: matches[0]?.description, scoring };
    };
    replaceByRubble(product);

    for (let number = 0; number < 6; number += 1) {
      expect(await ask(bench, proxy, number)).toBeUndefined();
    }
    // A thread that has not been started yet, and the child and the thread that die now.
    const dump = await drawing.call('tuimark_validate', { markup: '<text>hello</text>' });
    expect(dump.error).toBeUndefined();
    expect(JSON.stringify(dump)).not.toContain('rubble');
    const [embedder] = childrenOf(pid);
    process.kill(embedder!, 'SIGKILL');
    await eventually(async () => {
      expect(await scoring('repair a worn anvil now')).toMatchObject({
        best: 'anvil-care',
        scoring: 'reranked',
      });
      expect(childrenOf(pid)).not.toEqual([embedder]);
    }, 30_000);
    // The indexer thread ends on this file, twice, and is started again each time.
    bench.write('deadly');
    bench.write('anvil', 'Varnish');
    await eventually(async () => {
      const found = await scoring('varnish a worn anvil');
      expect(found.description).toContain('Varnish');
    }, 30_000);
    bench.write('bassoon', 'Dismantle');
    await eventually(async () => {
      const found = await scoring('dismantle a worn bassoon');
      expect(found.description).toContain('Dismantle');
    }, 30_000);
    // Commands are the new package's; here an old one asks the daemon to read everything again.
    const reindexed = await openLibraryBench({ product: older, home: bench.home }).cli(
      'reindex',
      '--json',
    );
    expect(reindexed.code).toBe(0);
    const log = readFileSync(bench.paths.daemonLog, 'utf8');
    expect(log.match(/the indexer thread ended/g)?.length).toBeGreaterThanOrEqual(2);
    expect(log).not.toContain('rubble');
    expect(bench.daemonPids()).toEqual([pid]);
    expect(proxy.stderr).toBe('');

    // The package is whole again: the next daemon is born from it, behind the same sessions.
    rmSync(join(product, 'dist'), { recursive: true });
    renameSync(join(product, 'dist-away'), join(product, 'dist'));
    process.kill(pid, 'SIGKILL');
    expect(await ask(bench, proxy, 2)).toBeUndefined();
  },
  3 * MINUTES,
);
