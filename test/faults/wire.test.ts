import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { openBench } from '../wire/bench.ts';

const MINUTES = 60_000;

/** A small generator with a seed, so that a failing run can be run again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test(
  '50 proxies racing give birth to one daemon, three times over',
  async () => {
    const bench = await openBench();
    for (let round = 0; round < 3; round += 1) {
      const proxies = Array.from({ length: 50 }, () => bench.start());
      const pids = await Promise.all(proxies.map(async (p) => (await p.call('pid')).result?.value));
      expect(new Set(pids).size).toBe(1);
      expect(bench.daemonPids()).toEqual([pids[0]]);
      process.kill(pids[0], 'SIGKILL');
      for (const proxy of proxies) proxy.child.kill('SIGKILL');
      await Promise.all(proxies.map((proxy) => proxy.exited));
      await eventually(() => {
        for (const pid of bench.daemonPids()) process.kill(pid, 'SIGKILL');
        expect(bench.daemonPids()).toEqual([]);
      });
      // Each round is a first start; the limiter of births has its own tests.
      rmSync(join(bench.root, 'births.json'), { force: true });
    }
  },
  5 * MINUTES,
);

test(
  'kill -9 at seeded moments: every request is answered once, no write is done twice',
  async () => {
    const bench = await openBench();
    const random = seeded(20_261_130);
    const proxies = Array.from({ length: 4 }, () => bench.start());
    for (const proxy of proxies) await proxy.handshake();
    const tally = join(bench.root, 'tally');
    writeFileSync(tally, '');
    const written: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      rmSync(join(bench.root, 'births.json'), { force: true });
      const { pid } = await bench.daemon();
      const reads = proxies.flatMap((proxy) =>
        Array.from({ length: 20 }, (_, at) => proxy.call('echo', { text: `${at}` })),
      );
      const writes = proxies.flatMap((proxy, p) =>
        Array.from({ length: 20 }, async (_, at) => {
          const text = `${round}/${p}/${at}`;
          const answer = await proxy.call('write', { tally, text });
          if (answer.result?.value === 'written') written.push(text);
          else expect(answer.error?.data?.['code']).toBe('outcome_unknown');
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, random() * 30));
      process.kill(pid, 'SIGKILL');
      const values = (await Promise.all(reads)).map((answer) => answer.result?.value);
      expect(values).toEqual(proxies.flatMap(() => Array.from({ length: 20 }, (_, at) => `${at}`)));
      await Promise.all(writes);
      await eventually(() => expect(bench.daemonPids()).not.toContain(pid));
    }
    const lines = readFileSync(tally, 'utf8').trim().split('\n');
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toEqual(expect.arrayContaining(written));
    for (const proxy of proxies) {
      const ids = proxy.messages.filter((m) => m.method === undefined).map((m) => m.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(proxy.child.exitCode).toBeNull();
    }
  },
  5 * MINUTES,
);

test(
  'a proxy killed while it holds the spawn ticket blocks nobody',
  async () => {
    const bench = await openBench();
    const random = seeded(7);
    for (let round = 0; round < 5; round += 1) {
      rmSync(join(bench.root, 'births.json'), { force: true });
      const first = bench.start();
      await new Promise((resolve) => setTimeout(resolve, 40 + random() * 120));
      first.child.kill('SIGKILL');
      const second = bench.start();
      expect((await second.call('echo', { text: 'on' })).result.value).toBe('on');
      await eventually(() => expect(bench.daemonPids()).toHaveLength(1));
      process.kill((await bench.daemon()).pid, 'SIGKILL');
      second.child.kill('SIGKILL');
      await second.exited;
      await eventually(() => {
        for (const pid of bench.daemonPids()) process.kill(pid, 'SIGKILL');
        expect(bench.daemonPids()).toEqual([]);
      });
    }
  },
  3 * MINUTES,
);

test(
  'a proxy stopped while it holds the spawn ticket delays the others, no more',
  async () => {
    const bench = await openBench();
    const holder = bench.start();
    await eventually(() => readFileSync(bench.paths.spawnTicket));
    holder.child.kill('SIGSTOP');
    for (const pid of bench.daemonPids()) process.kill(pid, 'SIGKILL');
    const answer = await bench.start().call('echo', { text: 'on' });
    expect(answer.result.value).toBe('on');
    await eventually(() => expect(bench.daemonPids()).toHaveLength(1));
  },
  2 * MINUTES,
);

test(
  'a daemon stopped for longer than every timeout is still the only one',
  async () => {
    const bench = await openBench();
    const proxy = bench.start();
    await proxy.call('pid');
    const { pid } = await bench.daemon();
    process.kill(pid, 'SIGSTOP');
    onTestFinished(() => {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // Ended by the test's own clean-up.
      }
    });
    const late = bench.start();
    const refused = await late.call('pid');
    expect(refused.error?.message).toMatch(
      /nothing was done.*pid \d+.*no welcome within 5000 ms.*waited 25 s/s,
    );
    expect(bench.daemonPids()).toEqual([pid]);
    process.kill(pid, 'SIGCONT');
    expect((await late.call('pid')).result.value).toBe(pid);
    expect((await proxy.call('pid')).result.value).toBe(pid);
  },
  2 * MINUTES,
);

test(
  'a daemon that dies at every birth is born a few times a minute, and the session still works',
  async () => {
    const bench = await openBench();
    const proxy = bench.start();
    const tally = join(bench.root, 'tally');
    writeFileSync(tally, '');
    for (let call = 0; call < 3; call += 1) {
      const answer = await proxy.call('die_reading', { tally });
      expect(answer.error?.data?.['code']).toBe('outcome_unknown');
    }
    expect(readFileSync(tally, 'utf8')).toBe('......');
    const births = JSON.parse(readFileSync(join(bench.root, 'births.json'), 'utf8'));
    expect(births.length).toBeLessThanOrEqual(7);
    expect((await proxy.call('echo', { text: 'on' })).result.value).toBe('on');
  },
  2 * MINUTES,
);

test(
  'a state root removed and made again, over and over',
  async () => {
    const bench = await openBench();
    const proxy = bench.start();
    for (let round = 0; round < 3; round += 1) {
      const { value } = (await proxy.call('pid')).result;
      rmSync(bench.root, { recursive: true });
      if (round % 2 === 0) mkdirSync(bench.root);
      await eventually(() => expect(bench.daemonPids()).not.toContain(value));
    }
    expect((await proxy.call('echo', { text: 'on' })).result.value).toBe('on');
  },
  2 * MINUTES,
);

/** Mount a tmpfs of `kilobytes` where that is possible. */
function smallDisk(at: string, kilobytes: number): boolean {
  mkdirSync(at, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', at]);
  if (mounted.status !== 0) return false;
  onTestFinished(() => void spawnSync('umount', ['-l', at]));
  return true;
}

test(
  'a full disk: a birth fails, the session is served over stdio, and all is well once there is room',
  async (context) => {
    const bench = await openBench();
    const disk = join(bench.root, 'disk');
    if (!smallDisk(disk, 64)) {
      console.warn('SKIPPED: a tmpfs cannot be mounted here, so a full disk is not tested');
      context.skip();
      return;
    }
    const env = { LECTERN_HOME: join(disk, 'state') };
    mkdirSync(env.LECTERN_HOME, { mode: 0o700 });
    const filler = join(disk, 'filler');
    fill(filler);
    const proxy = bench.start([], env);
    expect((await proxy.handshake()).error).toBeUndefined();
    expect((await proxy.call('echo', { text: 'full' })).result?.value).toBe('full');
    await proxy.end();
    rmSync(filler);
    const later = bench.start([], env);
    const session = (await later.call('session')).result.value;
    expect(session.readOnly).toBe(false);
    fill(filler);
    // A full log loses records, never the daemon.
    for (let n = 0; n < 50; n += 1) {
      expect((await later.call('echo', { text: `${n}` })).result.value).toBe(`${n}`);
    }
    const { pid } = JSON.parse(readFileSync(join(env.LECTERN_HOME, 'daemon.json'), 'utf8'));
    process.kill(pid, 'SIGKILL');
  },
  2 * MINUTES,
);

function fill(path: string): void {
  for (const size of [4096, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}

test('another uid cannot use the socket or read the token', async (context) => {
  const bench = await openBench();
  await bench.start().call('pid');
  const { socket } = await bench.daemon();
  const tried = (script: string) =>
    spawnSync('setpriv', ['--reuid=65534', '--clear-groups', process.execPath, '-e', script], {
      encoding: 'utf8',
      cwd: '/',
    });
  if (tried('').status !== 0) {
    console.warn('SKIPPED: setpriv cannot change the uid here, so permissions are not tested');
    context.skip();
    return;
  }
  const connect = `require('net').connect(${JSON.stringify(socket)}).on('error', (e) => console.log(e.code)).on('connect', () => console.log('in'))`;
  expect(tried(connect).stdout.trim()).toBe('EACCES');
  const read = `try { require('fs').readFileSync(${JSON.stringify(bench.paths.tokenFile)}); console.log('in') } catch (e) { console.log(e.code) }`;
  expect(tried(read).stdout.trim()).toBe('EACCES');
});

test('a package replaced under a running daemon takes nothing away from it', async () => {
  const bench = await openBench();
  const away = `${bench.product}/dist-away`;
  const proxy = bench.start();
  await proxy.handshake();
  await proxy.call('pid');
  execFileSync('mv', [join(bench.product, 'dist'), away]);
  onTestFinished(() => {
    if (existsSync(away)) execFileSync('mv', [away, join(bench.product, 'dist')]);
  });
  expect((await proxy.call('echo', { text: 'on' })).result.value).toBe('on');
  expect(
    (await proxy.call('read', { path: join(bench.product, 'bin/package.json') })).result.value,
  ).toContain('commonjs');
  execFileSync('mv', [away, join(bench.product, 'dist')]);
  process.kill((await bench.daemon()).pid, 'SIGKILL');
  expect((await proxy.call('echo', { text: 'next' })).result.value).toBe('next');
});
