import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import type { Scope } from '../../src/core/scope.ts';
import { getStatus } from '../../src/protocol/admin/get-status.ts';
import { BUNDLED_MODEL } from '../../src/search/embed/profile.ts';
import { scanNearest } from '../../src/search/vectors/nearest.ts';
import { createVectorStore } from '../../src/search/vectors/store.ts';
import { makeQuery, randomFrom, writeCorpus } from './corpus.ts';
import { type Measurement, median, quantile } from './measure.ts';
import { childrenOf, pssMb } from './process-memory.ts';
import { bearDaemonWith, openProduct, type Product, pause } from './product.ts';

const ENTRIES = 20_000;
/** So few that every directory is watched: beyond 4,096 of them a catalog is polled. */
const ENTRIES_A_CATALOG = 3_500;
const QUERIES = 300;
const WARM_UP = 30;
const SETTLE_MS = 3_000;
/** Real vectors to perturb: enough that the made-up ones are spread as real ones are. */
const SEEDS = 400;
/** A graph of 60,000 rows takes half a minute of one core between searches. */
const GIVE_UP_MS = 600_000;
const LOOK_MS = 100;
/** Length of the noise beside a unit vector: neighbours stay near and no two are equal. */
const NOISE = 0.5;
const WARM_STARTS = 3;
const COMPARED = 200;
/** As on a machine that could not compile hnswlib-node. */
const WITHOUT_HNSW = join(import.meta.dirname, 'without-hnswlib.cjs');

/**
 * 20,000 entries with about 80,000 vectors. The vectors are perturbed copies of
 * the first few hundred that the product embedded itself, written into its index
 * while the daemon is stopped: embedding them all would take an hour and measure
 * nothing more.
 *
 * A warm start goes from the spawn of a proxy, with no daemon running, to the
 * answer of its first search, if that is by meaning over everything; while it is
 * not, it is asked again and the time goes on.
 */
export async function measureScale(scope: Scope): Promise<Measurement[]> {
  const product = await openProduct(scope);
  for (let from = 0; from < ENTRIES; from += ENTRIES_A_CATALOG) {
    const count = Math.min(ENTRIES_A_CATALOG, ENTRIES - from);
    await product.cli('catalog', 'add', await writeCorpus(scope, count, from), '--enable');
  }
  const hasModel = await waitForSeeds(product);
  if (!hasModel) throw new Error('without the model there is nothing to measure here');
  await product.stopDaemon();
  fillVectors(product.paths.indexDb);
  await prepareSnapshot(product);

  const warm: number[] = [];
  for (let n = 0; n < WARM_STARTS; n += 1) {
    await product.stopDaemon();
    warm.push(await timeWarmStart(product, n));
  }
  await waitFor('the graph', async () => (await vectorsOf(product))?.bodies === 'hnsw');
  const hnsw = await timeSearches(product);
  await pause(SETTLE_MS);
  const daemon = product.daemonPid();
  const memory = [daemon, ...childrenOf(daemon)].reduce((sum, pid) => sum + pssMb(pid), 0);
  await product.stopDaemon();

  bearDaemonWith(product, WITHOUT_HNSW);
  const exact = await timeSearches(product);
  const { bodies } = (await vectorsOf(product))!;
  if (bodies !== 'exact') throw new Error('the daemon has hnswlib-node, although it was left out');
  await product.stopDaemon();

  const { recall, rows } = await compareHnsw(product);
  const what = `${ENTRIES} entries, ${rows} vectors`;
  return [
    { what: `${what}, HNSW: search p50`, value: quantile(hnsw, 0.5), unit: 'ms', most: 20 },
    { what: 'the same, p99', value: quantile(hnsw, 0.99), unit: 'ms' },
    { what: 'without hnswlib-node: search p50', value: quantile(exact, 0.5), unit: 'ms', most: 45 },
    { what: 'the same, p99', value: quantile(exact, 0.99), unit: 'ms' },
    {
      what: 'warm start: spawn → first search by meaning answered',
      value: median(warm),
      unit: 's',
      most: 3,
    },
    { what: 'daemon and embedder with HNSW, PSS', value: memory, unit: 'MB', most: 900 },
    { what: 'HNSW: recall@10 of the exact neighbours', value: recall * 100, unit: '%', least: 95 },
  ];
}

/** Wait for the first vectors of the product's own; false where none come because there is no model. */
async function waitForSeeds(product: Product): Promise<boolean> {
  const index = new Database(product.paths.indexDb);
  try {
    const counted = index.prepare('SELECT count(*) AS n FROM vectors');
    let isThere = true;
    await waitFor('the first vectors', async () => {
      if ((counted.get() as { n: number }).n >= SEEDS) return true;
      const { embedder } = await product.ask(getStatus, {});
      isThere = embedder.state === 'ok';
      return !isThere;
    });
    return isThere;
  } finally {
    index.close();
  }
}

/** One life that reads the index, builds the graph and saves both. */
async function prepareSnapshot(product: Product): Promise<void> {
  rmSync(product.paths.vectorSnapshot, { recursive: true, force: true });
  await product.cli('daemon', 'start');
  const manifest = join(product.paths.vectorSnapshot, 'manifest.json');
  await waitFor('the snapshot', async () => existsSync(manifest));
}

/** Seconds. */
async function timeWarmStart(product: Product, round: number): Promise<number> {
  const startedAt = performance.now();
  const agent = await product.agent();
  for (let n = 0; ; n += 1) {
    const { result } = await agent.callTool('search_skills', { query: makeQuery(round * 50 + n) });
    if (result['scoring'] === 'reranked' && result['degraded'] === undefined) break;
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error('no search is by meaning');
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  // A proxy that stays would start the next daemon itself.
  await agent.close();
  return seconds;
}

/** Milliseconds of each search of one agent. */
async function timeSearches(product: Product): Promise<number[]> {
  const agent = await product.agent();
  await waitFor('the vectors', async () => (await vectorsOf(product))?.loading === false);
  await product.waitIdle();
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + QUERIES; n += 1) {
    const { result, ms } = await agent.callTool('search_skills', { query: makeQuery(1_000 + n) });
    if (result['scoring'] !== 'reranked' || result['degraded'] !== undefined)
      throw new Error(`a search was degraded: ${String(result['degraded'])}`);
    if (n >= WARM_UP) times.push(ms);
  }
  await agent.close();
  return times;
}

async function vectorsOf(product: Product) {
  return (await product.ask(getStatus, {})).vectors;
}

/** Share of the ten nearest bodies that the product's own graph finds, and how many vectors there are. */
async function compareHnsw(product: Product): Promise<{ recall: number; rows: number }> {
  const store = createVectorStore(BUNDLED_MODEL.id, BUNDLED_MODEL.dim);
  const restored = await store.restore(product.paths.vectorSnapshot);
  await store.adoptGraphs(restored);
  if (store.chunkSearch.kind !== 'hnsw') throw new Error('the snapshot has no graph');
  const allowed = new Set(store.entries.owners);
  let found = 0;
  let all = 0;
  for (let n = 0; n < COMPARED; n += 1) {
    const query = store.entries.vectorAt(Math.floor((n * store.entries.rows) / COMPARED));
    const exact = new Set(scanNearest(store.chunks, query, 10, allowed).map(({ row }) => row));
    for (const { row } of store.chunkSearch.nearest(query, 10, allowed))
      if (exact.has(row)) found++;
    all += exact.size;
  }
  await store.close();
  return { recall: found / all, rows: store.entries.size + store.chunks.size };
}

/** Give every text without a vector a perturbed copy of a real one. */
function fillVectors(path: string): void {
  const index = new Database(path);
  const seeds = index.prepare('SELECT model, vector FROM vectors LIMIT ?').all(SEEDS) as {
    model: string;
    vector: ArrayBuffer;
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
function perturb(vector: ArrayBuffer, random: () => number): Buffer {
  const from = new Float32Array(vector);
  const step = NOISE * Math.sqrt(12 / from.length);
  const to = from.map((value) => value + (random() - 0.5) * step);
  const length = Math.hypot(...to);
  return Buffer.from(to.map((value) => value / length).buffer);
}

async function waitFor(what: string, isThere: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (!(await isThere())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come`);
    await pause(LOOK_MS);
  }
}
