import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startEmbedder } from '../../daemon/embedder/client.ts';
import { Scope } from '../../src/core/scope.ts';
import {
  type ModelCache,
  readStamp,
  recallModel,
  rememberModel,
} from '../../src/search/embed/model-memory.ts';
import { BUNDLED_MODEL, type ModelProfile } from '../../src/search/embed/profile.ts';
import { findModelFault } from '../../src/search/embed/verify.ts';
import { eventually } from '../eventually.ts';

let dir: string;
let cache: ModelCache;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lectern-memory-'));
  cache = { dir: join(dir, 'models'), isWritable: true };
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
});

const describeFile = (name: string, content: string) => ({
  name,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

/** Two small files that a profile describes. */
async function plantModel(): Promise<ModelProfile> {
  await writeFile(join(dir, 'weights'), 'heavy');
  await writeFile(join(dir, 'tokenizer'), 'words');
  return {
    ...BUNDLED_MODEL,
    weights: describeFile('weights', 'heavy'),
    tokenizer: describeFile('tokenizer', 'words'),
  };
}

test('files found whole are remembered over lives', async () => {
  const profile = await plantModel();
  const memory = await recallModel(cache, profile);
  expect(await findModelFault(dir, profile, memory.whole)).toBeNull();
  await rememberModel(cache, profile, memory);
  const recalled = await recallModel(cache, profile);
  expect(recalled.whole.size).toBe(2);
  expect(recalled).toEqual(memory);
});

test('a file whose stamp is remembered is not read', async () => {
  const profile = await plantModel();
  const wrong = { ...profile, weights: { ...profile.weights, sha256: 'of another file' } };
  const whole = new Set([`of another file ${await readStamp(join(dir, 'weights'))}`]);
  expect(await findModelFault(dir, wrong, whole)).toBeNull();
});

test('a file written to since is hashed again, even with its old size and time', async () => {
  const profile = await plantModel();
  const whole = new Set<string>();
  await findModelFault(dir, profile, whole);
  const { atime, mtime } = await stat(join(dir, 'weights'));
  // The file system's clock ticks every few milliseconds.
  await expect
    .poll(async () => {
      await writeFile(join(dir, 'weights'), 'HEAVY');
      await utimes(join(dir, 'weights'), atime, mtime);
      return findModelFault(dir, profile, new Set(whole));
    })
    .toMatchObject({ kind: 'checksum_mismatched' });
});

test('a damaged memory is an empty one', async () => {
  await rememberModel(cache, BUNDLED_MODEL, { whole: new Set(['a stamp']), prepared: null });
  for (const damage of ['', '{', '[]', '{"whole": 1}', '{"whole": [1], "prepared": 3}']) {
    await writeFile(join(cache.dir, `${BUNDLED_MODEL.id}.json`), damage);
    expect(await recallModel(cache, BUNDLED_MODEL)).toEqual({ whole: new Set(), prepared: null });
  }
});

/** An embedder over the bundled model, and what it logs. */
function start(more: { cache: ModelCache; prepareAfterMs?: number }) {
  const scope = new Scope('test');
  const told: Record<string, unknown>[] = [];
  const log = {
    info: (fields: Record<string, unknown>, message: string) => told.push({ ...fields, message }),
    warn: (fields: Record<string, unknown>, message: string) => told.push({ ...fields, message }),
  };
  // A loaded machine may take seconds to start a child from source.
  const embedder = startEmbedder({ scope, log, queryTimeoutMs: 20_000, ...more });
  return { embedder, scope, find: (message: string) => told.find((t) => t['message'] === message) };
}

describe('after a first life', () => {
  /** Kept over these tests, as a state root is over lives. */
  let kept: ModelCache;
  let graph: string;
  let vector: Float32Array;

  beforeAll(async () => {
    kept = { dir: await mkdtemp(join(tmpdir(), 'lectern-prepared-')), isWritable: true };
    const first = start({ cache: kept, prepareAfterMs: 0 });
    vector = await first.embedder.embedQuery('prune a tree');
    expect(first.find('embedder ready')).toMatchObject({ isPrepared: false });
    await eventually(
      () =>
        expect(first.find('the model is prepared for the next start')).toMatchObject({
          isUsed: true,
        }),
      20_000,
    );
    await first.scope.close();
    graph = (await readdir(kept.dir)).find((entry) => entry.endsWith('.ort'))!;
  });
  afterAll(() => rm(kept.dir, { recursive: true, force: true }));

  test('the second reads the prepared graph, and its vectors are the same', async () => {
    const second = start({ cache: kept, prepareAfterMs: 0 });
    onTestFinished(() => second.scope.close());
    expect(await second.embedder.embedQuery('prune a tree')).toEqual(vector);
    expect(second.find('embedder ready')).toMatchObject({ isPrepared: true });
    expect(await readdir(kept.dir)).toHaveLength(2);
  });

  test('a prepared graph that changed is left alone, and the published one serves', async () => {
    await writeFile(join(kept.dir, graph), 'something else');
    const second = start({ cache: kept });
    onTestFinished(() => second.scope.close());
    expect(await second.embedder.embedQuery('prune a tree')).toEqual(vector);
    expect(second.find('embedder ready')).toMatchObject({ isPrepared: false });
  });

  test('a prepared graph that cannot be loaded costs nothing but time', async () => {
    const path = join(kept.dir, graph);
    await writeFile(path, Buffer.alloc(100_000, 255));
    const memory = await recallModel(kept, BUNDLED_MODEL);
    const prepared = { name: graph, stamp: await readStamp(path) };
    await rememberModel(kept, BUNDLED_MODEL, { ...memory, prepared });
    const second = start({ cache: kept });
    onTestFinished(() => second.scope.close());
    expect(await second.embedder.embedQuery('prune a tree')).toEqual(vector);
  });
});

test('a session that must not write leaves nothing', async () => {
  const { embedder, scope } = start({
    cache: { ...cache, isWritable: false },
    prepareAfterMs: 0,
  });
  onTestFinished(() => scope.close());
  await embedder.embedQuery('prune a tree');
  await expect(readdir(cache.dir)).rejects.toThrow('ENOENT');
});
