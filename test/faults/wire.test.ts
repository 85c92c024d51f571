import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noteBirth } from '../../src/protocol/link/births.ts';
import { eventually } from '../eventually.ts';
import { openBench } from '../wire/bench.ts';
import { seeded } from '../wire/seeded.ts';

const MINUTES = 60_000;

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
      // When the last round was over before its kill, the record is still that of the dead.
      const pid = await eventually(async () => {
        const record = await bench.daemon();
        // A signal still reaches the dead until somebody has taken note of its end.
        expect(bench.daemonPids()).toContain(record.pid);
        return record.pid;
      });
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
  'a crowd of proxies that the limiter of births holds back gives birth once when its turn comes',
  async () => {
    const bench = await openBench();
    // The next turn is in 12 seconds: longer than a ticket is respected without a reason.
    for (let n = 0; n < 12; n += 1) noteBirth(bench.paths, Date.now() - 8000);
    const proxies = Array.from({ length: 12 }, () => bench.start());
    const pids = await Promise.all(proxies.map(async (p) => (await p.call('pid')).result?.value));
    expect(new Set(pids).size).toBe(1);
    const births = JSON.parse(readFileSync(join(bench.root, 'births.json'), 'utf8'));
    expect(births).toHaveLength(13);
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
