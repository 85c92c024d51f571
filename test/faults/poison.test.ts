import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../../src/protocol/link/connection.ts';
import { FRAME } from '../../src/protocol/link/frames.ts';
import { plainHello } from '../daemon/raw-client.ts';
import { eventually } from '../eventually.ts';
import { faultOf, type LibraryBench, openLibraryBench } from '../wire/library-bench.ts';
import { startDaemonsWith } from '../wire/start-with.ts';

const MINUTES = 60_000;
const CRASH_ON = join(import.meta.dirname, 'crash-on.cjs');

async function notes(bench: LibraryBench): Promise<string> {
  return (await bench.cli('status')).stdout;
}

test(
  'a query on which the daemon died twice is refused by name, others work, and a command releases it',
  async () => {
    const poison = 'a query that nobody survives';
    const bench = openLibraryBench({ env: { LECTERN_CRASH_ON: poison } });
    startDaemonsWith(bench, CRASH_ON);
    await bench.enrol();
    const proxy = bench.start();
    await proxy.handshake();

    const first = await proxy.call('search_skills', { query: poison });
    expect(first.error?.data?.['code']).toBe('outcome_unknown');
    const again = await proxy.call('search_skills', { query: poison });
    expect(again.error?.data?.['code']).toBe('query_quarantined');
    expect(again.error?.message).toContain('ended lectern twice');
    const question = bench.question(0);
    expect(faultOf(question, await proxy.call(question.tool, question.args))).toBeUndefined();
    expect(await notes(bench)).toContain(`lectern query --release "${poison}"`);
    const doctor = (await bench.cli('doctor')).stdout;
    expect(doctor).toContain(`fix: lectern query --release "${poison}"`);
    const other = bench.start();
    const refused = await other.call('search_skills', { query: poison });
    expect(refused.error?.data?.['code']).toBe('query_quarantined');

    expect((await bench.cli('query', '--release', 'something else', '--json')).code).toBe(2);
    // The fault is mended: the next daemon survives it.
    rmSync(join(bench.paths.root, 'service.json'));
    const { pid } = await bench.daemon();
    expect((await bench.cli('daemon', 'restart')).code).toBe(0);
    expect((await bench.daemon()).pid).not.toBe(pid);
    const released = await bench.cli('query', '--release', poison, '--json');
    expect(JSON.parse(released.stdout)).toEqual({ released: poison });
    expect((await proxy.call('search_skills', { query: poison })).error).toBeUndefined();
    expect(await notes(bench)).not.toContain('is left out');
  },
  2 * MINUTES,
);

test(
  'a query on which the daemon hangs twice is refused by name within a host’s patience; others wait and are answered',
  async () => {
    const poison = 'a query that never ends';
    const bench = openLibraryBench({
      env: { LECTERN_CRASH_ON: poison, LECTERN_CRASH_WHAT: 'hang' },
    });
    startDaemonsWith(bench, CRASH_ON);
    await bench.enrol();
    const [proxy, other] = [bench.start(), bench.start()];
    await proxy.handshake();
    await other.handshake();
    const { pid } = await bench.daemon();

    const askedAt = performance.now();
    const first = proxy.call('search_skills', { query: poison });
    const question = bench.question(0);
    await eventually(() => {
      const trail = readFileSync(bench.paths.breadcrumb, 'utf8');
      expect(JSON.parse(trail).inWork).toBe(poison);
    });
    const waiting = other.call(question.tool, question.args);
    expect((await first).error?.data?.['code']).toBe('outcome_unknown');
    expect(performance.now() - askedAt).toBeLessThan(MINUTES);
    const answer = await waiting;
    // It was with both daemons that died, unless the second was gone before it had been sent again.
    if (answer.error === undefined) expect(faultOf(question, answer)).toBeUndefined();
    else expect(answer.error.data?.['code']).toBe('outcome_unknown');
    expect((await bench.daemon()).pid).not.toBe(pid);

    const again = await proxy.call('search_skills', { query: poison });
    expect(again.error?.data?.['code']).toBe('query_quarantined');
    expect(faultOf(question, await other.call(question.tool, question.args))).toBeUndefined();
    expect(await notes(bench)).toContain(`lectern query --release "${poison}"`);
    const log = readFileSync(bench.paths.daemonLog, 'utf8');
    expect(log.match(/"target":"watchdog"/g)).toHaveLength(2);
  },
  3 * MINUTES,
);

test(
  'a read-only daemon over stdio that hangs is ended, so that its proxy can go on',
  async () => {
    const poison = 'a query that never ends';
    const bench = openLibraryBench({ skills: 3 });
    await bench.enrol();
    // Its main thread parses every message of its client.
    const hangs = `
      import { isMainThread } from 'node:worker_threads';
      const { parse } = JSON;
      JSON.parse = (text, ...rest) => {
        while (isMainThread && String(text).includes(${JSON.stringify(poison)}));
        return parse(text, ...rest);
      };`;
    const entry = join(bench.product, 'dist/daemon/main.cjs');
    const child = spawn(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(hangs)}`, entry, '--stdio'],
      { env: { PATH: process.env['PATH'], ...bench.env }, stdio: ['pipe', 'pipe', 'ignore'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const connection = await openConnection(
      { readable: child.stdout, writable: child.stdin, destroy: () => {} },
      { ...plainHello, token: '' },
      { onFrame: () => {}, onClose: () => {} },
      MINUTES,
    );
    const params = { name: 'search_skills', arguments: { query: poison } };
    connection.send(
      FRAME.mcp,
      1,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    );
    expect(await ended).toEqual([null, 'SIGKILL']);
  },
  2 * MINUTES,
);

test(
  'a file on which the daemon died twice is left out by name, and the others are read',
  async () => {
    const bench = openLibraryBench({ env: { LECTERN_CRASH_ON: 'deadly-care/SKILL.md' } });
    startDaemonsWith(bench, CRASH_ON);
    await bench.enrol();
    const proxy = bench.start();
    await proxy.handshake();
    const deadly = bench.write('deadly');
    await eventually(
      async () => expect(await notes(bench)).toContain(`${deadly} is left out`),
      60_000,
    );
    bench.write('quince');
    await eventually(async () => {
      const found = await proxy.call('search_skills', { query: 'a worn quince' });
      expect(found.result?.structuredContent.matches[0]?.name).toBe('quince-care');
    }, 60_000);
    expect(bench.daemonPids()).toHaveLength(1);
  },
  2 * MINUTES,
);
