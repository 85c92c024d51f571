import Database from 'libsql';
import type { Scope } from '../../src/core/scope.ts';
import { getStatus } from '../../src/protocol/admin/get-status.ts';
import { enrolCorpus, makeQuery, randomFrom } from './corpus.ts';
import { type Measurement, quantile } from './measure.ts';
import { childrenOf, pssMb } from './process-memory.ts';
import { openProduct, type Product, pause } from './product.ts';

const ENTRIES = 20_000;
const QUERIES = 300;
const WARM_UP = 30;
const SETTLE_MS = 3000;
/** Real vectors to perturb: enough that the made-up ones are spread as real ones are. */
const SEEDS = 400;
const GIVE_UP_MS = 180_000;
/** Length of the noise beside a unit vector: neighbours stay near and no two are equal. */
const NOISE = 0.5;

/**
 * 20,000 entries with about 80,000 vectors. The vectors are perturbed copies of
 * the first few hundred that the product embedded itself, written into its index
 * while the daemon is stopped: embedding them all would take an hour and measure
 * nothing more.
 */
export async function measureScale(scope: Scope): Promise<Measurement[]> {
  const product = await openProduct(scope);
  await enrolCorpus(product, scope, ENTRIES);
  const hasModel = await waitForSeeds(product);
  await product.stopDaemon();
  if (hasModel) fillVectors(product.paths.indexDb);

  const startedAt = performance.now();
  const agent = await product.agent();
  await agent.callTool('search_skills', { query: makeQuery(1) });
  const warm = (performance.now() - startedAt) / 1000;
  await product.waitIdle();

  const times: number[] = [];
  let scoring = '';
  let degraded = '';
  for (let n = 0; n < WARM_UP + QUERIES; n += 1) {
    const { result, ms } = await agent.callTool('search_skills', { query: makeQuery(n) });
    scoring = String(result['scoring']);
    degraded = result['degraded'] === undefined ? '' : ` (${String(result['degraded'])})`;
    if (n >= WARM_UP) times.push(ms);
  }
  await pause(SETTLE_MS);
  const daemon = product.daemonPid();
  const all = [daemon, ...childrenOf(daemon)].reduce((sum, pid) => sum + pssMb(pid), 0);
  return [
    {
      what: `${ENTRIES} entries, ${scoring}${degraded}: search p50`,
      value: quantile(times, 0.5),
      unit: 'ms',
      most: 20,
    },
    { what: 'search p99', value: quantile(times, 0.99), unit: 'ms' },
    { what: 'warm start: spawn → first answer', value: warm, unit: 's', most: 3 },
    { what: 'daemon and embedder, PSS', value: all, unit: 'MB', most: 900 },
  ];
}

/** Wait for the first vectors of the product's own; false where none come because there is no model. */
async function waitForSeeds(product: Product): Promise<boolean> {
  const index = new Database(product.paths.indexDb);
  try {
    const counted = index.prepare('SELECT count(*) AS n FROM vectors');
    const deadline = performance.now() + GIVE_UP_MS;
    while ((counted.get() as { n: number }).n < SEEDS) {
      if (performance.now() > deadline) {
        // A model may take its time to load; that it is absent is only sure at the end.
        const { embedder } = await product.ask(getStatus, {});
        if (embedder.state !== 'ok') return false;
        throw new Error('nothing is being embedded');
      }
      await pause(200);
    }
    return true;
  } finally {
    index.close();
  }
}

/** Give every text without a vector a perturbed copy of a real one. */
function fillVectors(path: string): void {
  const index = new Database(path);
  const seeds = index.prepare('SELECT model, vector FROM vectors LIMIT ?').all(SEEDS) as {
    model: string;
    vector: Buffer;
  }[];
  const missing = index
    .prepare(
      `SELECT text_hash FROM (SELECT text_hash FROM entries UNION SELECT text_hash FROM chunks)
       WHERE text_hash NOT IN (SELECT text_hash FROM vectors)`,
    )
    .all() as { text_hash: string }[];
  const insert = index.prepare('INSERT INTO vectors (model, text_hash, vector) VALUES (?, ?, ?)');
  const random = randomFrom(1);
  index.exec('BEGIN');
  for (const [at, { text_hash: hash }] of missing.entries()) {
    const seed = seeds[at % seeds.length]!;
    insert.run(seed.model, hash, perturb(seed.vector, random));
  }
  index.exec('COMMIT');
  index.close();
}

/** A unit vector near `vector` (float32, little-endian). */
function perturb(vector: Buffer, random: () => number): Buffer {
  const from = new Float32Array(vector.buffer, vector.byteOffset, vector.byteLength / 4);
  const step = NOISE * Math.sqrt(12 / from.length);
  const to = from.map((value) => value + (random() - 0.5) * step);
  const length = Math.hypot(...to);
  return Buffer.from(to.map((value) => value / length).buffer);
}
