import { copyFile, mkdir, mkdtemp, open, readFile, rm, truncate } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmbedderOptions, startEmbedder } from '../../daemon/embedder/client.ts';
import { Scope } from '../../src/core/scope.ts';
import { DRIFT_FLOOR, measureDrift } from '../../src/search/embed/drift.ts';
import { EmbedderUnavailable } from '../../src/search/embed/embedder.ts';
import { BUNDLED_MODEL, bundledModelDir } from '../../src/search/embed/profile.ts';

let scope: Scope;
let dir: string;

beforeEach(async () => {
  scope = new Scope('test');
  dir = await mkdtemp(join(tmpdir(), 'lectern-embedder-'));
});
afterEach(async () => {
  await scope.close();
  await rm(dir, { recursive: true, force: true });
});

const silent = { info: () => {}, warn: () => {} };
const start = (more: Partial<EmbedderOptions> = {}) =>
  // A loaded machine may take seconds to start a child from source.
  startEmbedder({ scope, log: silent, queryTimeoutMs: 20_000, ...more });

/** A copy of the bundled model that a test may damage. */
async function copyModel(): Promise<string> {
  const copy = join(dir, 'model');
  await mkdir(copy);
  for (const name of ['model.onnx', 'tokenizer.json'])
    await copyFile(join(bundledModelDir(), name), join(copy, name));
  return copy;
}

/** The fault that a damaged model is refused with. */
async function faultOf(modelDir: string) {
  const embedder = start({ modelDir });
  await expect(embedder.embedQuery('prune a tree')).rejects.toThrow(EmbedderUnavailable);
  const { state, fault } = embedder.health();
  expect(state).toBe('failed');
  return fault!;
}

test('vectors are those of the model card', async () => {
  const { lowest, median, texts } = await measureDrift(start(), bundledModelDir());
  // Runtimes and processors round single activations differently (model card).
  console.info(
    `cosine with the model card: lowest ${lowest.toFixed(4)}, median ${median.toFixed(4)}`,
  );
  expect(texts).toBe(8);
  expect(lowest).toBeGreaterThan(DRIFT_FLOOR);
  const hasVnni = /vnni/.test(await readFile('/proc/cpuinfo', 'utf8').catch(() => ''));
  const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json');
  // Older kernels move two of the eight, to .9978 and .9992.
  const isExact = Number(version.split('.')[1]) >= 30;
  if (hasVnni) expect(isExact ? lowest : median).toBeGreaterThan(0.999);
});

test('a text gives the same vector alone, among others, and as a query', async () => {
  const embedder = start();
  const text = 'Cut back branches of fruit trees';
  const [first, second] = await embedder
    .embedTexts([text, 'something else', text])
    .then((all) => [all[0], all[2]]);
  expect(second).toEqual(first);
  expect(await embedder.embedQuery(text)).toEqual(first);
});

test('killed during bulk work, the embedder comes back and no text is lost', async () => {
  const embedder = start();
  await embedder.embedQuery('ready');
  const texts = Array.from(
    { length: 60 },
    (_, i) => `entry ${i}: ${'some words about pruning '.repeat(20)}`,
  );
  const work = embedder.embedTexts(texts);
  const { pid } = embedder.health();
  await embedder.embedQuery('a moment later');
  process.kill(pid!, 'SIGKILL');
  const vectors = await work;
  expect(vectors).toHaveLength(60);
  expect(vectors.every((vector) => vector !== null)).toBe(true);
  expect(embedder.health().deaths).toBe(1);
  expect(embedder.health().pid).not.toBe(pid);
});

test('killed while a query is in work, the query is answered by the next child', async () => {
  const embedder = start();
  await embedder.embedQuery('ready');
  const answer = embedder.embedQuery('shorten the shoots in winter');
  process.kill(embedder.health().pid!, 'SIGKILL');
  expect((await answer).length).toBe(384);
});

test('a query overtakes bulk work', async () => {
  const embedder = start();
  await embedder.embedQuery('ready');
  let bulkDone = false;
  const work = embedder
    .embedTexts(Array.from({ length: 30 }, (_, i) => `text ${i} ${'word '.repeat(100)}`))
    .then(() => {
      bulkDone = true;
    });
  await embedder.embedQuery('now');
  expect(bulkDone).toBe(false);
  await work;
});

test('a child that hangs costs a query its vector, not its answer', async () => {
  const embedder = start({ queryTimeoutMs: 300 });
  await expect.poll(() => embedder.health().state, { timeout: 20_000, interval: 20 }).toBe('ready');
  const { pid } = embedder.health();
  process.kill(pid!, 'SIGSTOP');
  await expect(embedder.embedQuery('anyone there?')).rejects.toThrow('no vector within 300 ms');
});

test('a cancelled query ends at once', async () => {
  const embedder = start();
  const cancel = new AbortController();
  const answer = embedder.embedQuery('never mind', cancel.signal);
  cancel.abort();
  await expect(answer).rejects.toThrow(EmbedderUnavailable);
});

test('after a rest the next query starts the child again', async () => {
  const embedder = start({ restAfterMs: 50 });
  await embedder.embedQuery('first');
  await expect
    .poll(() => embedder.health().state, { timeout: 10_000, interval: 10 })
    .toBe('resting');
  expect((await embedder.embedQuery('second')).length).toBe(384);
});

test('closing the scope ends the child and refuses what waits', async () => {
  const embedder = start();
  await embedder.embedQuery('ready');
  const { pid } = embedder.health();
  const work = embedder.embedTexts(Array.from({ length: 20 }, (_, i) => `text ${i}`));
  const refused = expect(work).rejects.toThrow(EmbedderUnavailable);
  await scope.close();
  await refused;
  await expect
    .poll(() => {
      try {
        return process.kill(pid!, 0);
      } catch {
        return 'gone';
      }
    })
    .toBe('gone');
});

test('missing weights are missing', async () => {
  const model = await copyModel();
  await rm(join(model, 'model.onnx'));
  expect(await faultOf(model)).toMatchObject({ kind: 'missing' });
});

test('a missing tokenizer is missing', async () => {
  const model = await copyModel();
  await rm(join(model, 'tokenizer.json'));
  expect((await faultOf(model)).detail).toContain('tokenizer.json');
});

test('truncated weights are corrupt', async () => {
  const model = await copyModel();
  await truncate(join(model, 'model.onnx'), 1_000_000);
  expect(await faultOf(model)).toMatchObject({ kind: 'corrupt' });
});

test('weights of the right size and another digest are a checksum mismatch', async () => {
  const model = await copyModel();
  const file = await open(join(model, 'model.onnx'), 'r+');
  await file.write(Buffer.from([1, 2, 3, 4]), 0, 4, 5_000_000);
  await file.close();
  expect(await faultOf(model)).toMatchObject({ kind: 'checksum_mismatched' });
});

test('a model of another dimension is corrupt, and its texts are not left out one by one', async () => {
  const profile = { ...BUNDLED_MODEL, dim: 768 };
  const embedder = start({ profile });
  await expect(embedder.embedTexts(['prune a tree'])).rejects.toThrow('384 numbers');
  expect(embedder.health()).toMatchObject({ state: 'failed', fault: { kind: 'corrupt' } });
});

test('a model that was mended works after a wake', async () => {
  const model = await copyModel();
  await rm(join(model, 'tokenizer.json'));
  const embedder = start({ modelDir: model });
  await expect(embedder.embedQuery('first')).rejects.toThrow('tokenizer.json');
  await copyFile(join(bundledModelDir(), 'tokenizer.json'), join(model, 'tokenizer.json'));
  embedder.wake();
  expect((await embedder.embedQuery('second')).length).toBe(384);
});
