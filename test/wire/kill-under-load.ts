import assert from 'node:assert';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { faultOf, type LibraryBench } from './library-bench.ts';
import type { McpProcess } from './mcp-process.ts';
import { seeded } from './seeded.ts';

/** An answer that takes longer hangs: hosts give up on a call after a minute. */
const HUNG_MS = 60_000;

/** Calls that each proxy has open at all times. */
const OPEN_CALLS = 2;

/** Every fourth kill comes early: between the last one and the first answer after it. */
const EARLY_SHARE = 0.25;
const EARLY_MS = 600;

/** The others come this long after everybody was answered: a few calls are begun and ended in it. */
const LATE_MS = 120;

/** A call that is sent within this time after a death may still go to the dead daemon. */
const UNNOTICED_MS = 1000;

/** What came of the questions that were asked while daemons died. */
export interface Toll {
  kills: number;
  answered: number;
  /** Wrong, with what was wrong about them. */
  wrong: string[];
  hung: number;
  /** Told that the outcome is unknown, after two daemons died of or during the same call. */
  given: number;
  /** The slowest answer. */
  slowestMs: number;
}

/**
 * Kill the daemon at `kills` seeded moments while real proxies ask real
 * questions without a pause, and judge every answer.
 */
export async function killUnderLoad(
  bench: LibraryBench,
  kills: number,
  proxyCount: number,
  seed: number,
): Promise<Toll> {
  const random = seeded(seed);
  const toll: Toll = { kills: 0, answered: 0, wrong: [], hung: 0, given: 0, slowestMs: 0 };
  const killedAt: number[] = [];
  const proxies = Array.from({ length: proxyCount }, () => bench.start());
  for (const proxy of proxies) await proxy.handshake();
  let isOver = false;
  let asked = 0;

  async function keepAsking(proxy: McpProcess): Promise<void> {
    while (!isOver) {
      const question = bench.question(asked++);
      const from = performance.now();
      const answer = await within(proxy.call(question.tool, question.args));
      const to = performance.now();
      toll.slowestMs = Math.max(toll.slowestMs, to - from);
      if (answer === undefined) {
        toll.hung += 1;
        return;
      }
      toll.answered += 1;
      const fault = faultOf(question, answer);
      if (fault === undefined) continue;
      const deaths = killedAt.filter((at) => at >= from - UNNOTICED_MS && at <= to).length;
      if (answer.error?.data?.['code'] === 'outcome_unknown' && deaths >= 2) toll.given += 1;
      else toll.wrong.push(`${fault} (${deaths} deaths meanwhile)`);
    }
  }

  const asking = Promise.all(
    proxies.flatMap((proxy) => Array.from({ length: OPEN_CALLS }, () => keepAsking(proxy))),
  );
  let wasEarly = false;
  while (toll.kills < kills) {
    // Two early ones in a row would only show that a daemon which is never born answers nothing.
    const isEarly: boolean = !wasEarly && random() < EARLY_SHARE;
    const { answered } = toll;
    const everybody = answered + proxyCount * OPEN_CALLS;
    if (!isEarly) await eventually(() => assert(toll.answered >= everybody), HUNG_MS);
    await new Promise((resolve) => setTimeout(resolve, random() * (isEarly ? EARLY_MS : LATE_MS)));
    wasEarly = isEarly;
    // The limiter of births has tests of its own; here each birth is to be a first one.
    rmSync(join(bench.paths.root, 'births.json'), { force: true });
    const pids = bench.daemonPids();
    if (pids.length === 0) continue;
    for (const pid of pids) kill(pid);
    killedAt.push(performance.now());
    toll.kills += 1;
  }
  isOver = true;
  await asking;
  return toll;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself since it was found: the loser of a race for the lock.
  }
}

async function within<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), HUNG_MS);
  });
  try {
    return await Promise.race([answer, hung]);
  } finally {
    clearTimeout(timer);
  }
}
