import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { faultOf, type LibraryBench, openLibraryBench } from '../wire/library-bench.ts';
import type { McpProcess } from '../wire/mcp-process.ts';
import { fillDisk, mountSmallDisk } from '../wire/small-disk.ts';

const MINUTES = 60_000;

async function ask(bench: LibraryBench, proxy: McpProcess, number = 0) {
  const question = bench.question(number);
  return faultOf(question, await proxy.call(question.tool, question.args));
}

async function best(proxy: McpProcess, query: string) {
  const answer = await proxy.call('search_skills', { query });
  return answer.result?.structuredContent.matches[0]?.description as string | undefined;
}

test(
  'a disk that fills up under a running daemon: answers go on, writes are refused by name, and all is well with room again',
  async (context) => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-disk-')));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    if (!mountSmallDisk(join(home, 'state'), 6 * 1024)) {
      console.warn('SKIPPED: a tmpfs cannot be mounted here, so a full disk is not tested');
      context.skip();
      return;
    }
    const bench = openLibraryBench({ home, skills: 12 });
    await bench.enrol();
    const proxy = bench.start();
    await proxy.handshake();
    const { pid } = await bench.daemon();
    const filler = join(home, 'state/filler');
    fillDisk(filler);

    for (let number = 0; number < 24; number += 1) {
      expect(await ask(bench, proxy, number)).toBeUndefined();
    }
    bench.write('anvil', 'Varnish');
    expect(await best(proxy, 'repair a worn anvil')).toContain('anvil');
    bench.write('bassoon', 'Dismantle');
    const refused = await bench.cli('workspace', 'init', 'no-room', '--json');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/full|no space|ENOSPC|SQLITE_FULL/i);
    expect(bench.daemonPids()).toEqual([pid]);

    rmSync(filler);
    await eventually(async () => {
      expect(await best(proxy, 'varnish a worn anvil')).toContain('Varnish');
      expect(await best(proxy, 'dismantle a worn bassoon')).toContain('Dismantle');
    }, 60_000);
    expect((await bench.cli('workspace', 'init', 'room', '--json')).code).toBe(0);
    expect(bench.daemonPids()).toEqual([pid]);
    expect(readFileSync(bench.paths.daemonLog, 'utf8')).not.toContain('uncaught');
  },
  2 * MINUTES,
);

test(
  'a daemon that dies on a full disk: sessions go on read-only, and go back to a daemon once there is room',
  async (context) => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-disk-')));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    if (!mountSmallDisk(join(home, 'state'), 6 * 1024)) {
      console.warn('SKIPPED: a tmpfs cannot be mounted here, so a full disk is not tested');
      context.skip();
      return;
    }
    const bench = openLibraryBench({ home, skills: 12 });
    await bench.enrol();
    const proxy = bench.start();
    await proxy.handshake();
    const { pid } = await bench.daemon();
    const filler = join(home, 'state/filler');
    fillDisk(filler);
    process.kill(pid, 'SIGKILL');
    expect(await ask(bench, proxy)).toBeUndefined();
    expect(await ask(bench, proxy, 2)).toBeUndefined();
    const [standIn] = bench.daemonPids();
    expect(readFileSync(`/proc/${standIn}/cmdline`, 'latin1')).toContain('--stdio');
    rmSync(filler);
    // Somebody starts a daemon; the session finds it by itself.
    expect((await bench.cli('daemon', 'start')).code).toBe(0);
    const born = await bench.daemon();
    await eventually(() => expect(bench.daemonPids()).toEqual([born.pid]), 30_000);
    expect(await ask(bench, proxy, 1)).toBeUndefined();
  },
  2 * MINUTES,
);
