import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { embedTokens } from './embed-tokens.ts';
import {
  type ModelCache,
  type ModelMemory,
  readStamp,
  recallModel,
  rememberModel,
} from './model-memory.ts';
import type { ModelProfile } from './profile.ts';
import {
  type InferenceSession,
  loadRuntime,
  ModelError,
  type Runtime,
  SESSION,
} from './runtime.ts';
import { findModelFault } from './verify.ts';

/** A prepared graph is complete, and its weights are used where they lie in memory. */
const PREPARED_SESSION = {
  ...SESSION,
  graphOptimizationLevel: 'disabled',
  extra: {
    session: { use_ort_model_bytes_directly: '1', use_ort_model_bytes_for_initializers: '1' },
  },
} as const;

/** A session reads its weights where the file's bytes lie, so they live as long as it does. */
const bytesOf = new WeakMap<InferenceSession, Uint8Array>();

/** The bytes of the graph that an earlier life prepared; null where there is none, or another. */
export async function readPrepared(
  runtime: Runtime,
  profile: ModelProfile,
  cache: ModelCache,
  { prepared }: ModelMemory,
): Promise<Uint8Array | null> {
  if (prepared?.stamp == null || prepared.name !== preparedName(profile, runtime)) return null;
  const path = join(cache.dir, prepared.name);
  if ((await readStamp(path)) !== prepared.stamp) return null;
  return readWhole(path).catch(() => null);
}

/** Open a prepared graph; null when the runtime does not take it. */
export async function openPrepared(
  runtime: Runtime,
  bytes: Uint8Array,
): Promise<InferenceSession | null> {
  try {
    return await openBytes(runtime, bytes);
  } catch {
    return null;
  }
}

/**
 * A file as one read, which goes on while this thread works: `readFile` asks
 * for half a megabyte at a time and needs the thread in between.
 */
async function readWhole(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.allocUnsafeSlow(size);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(bytes, at, size - at, at);
      if (bytesRead === 0) throw new Error(`${path} became shorter`);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

async function openBytes(runtime: Runtime, bytes: Uint8Array): Promise<InferenceSession> {
  const session = await runtime.InferenceSession.create(bytes, PREPARED_SESSION);
  bytesOf.set(session, bytes);
  return session;
}

/** Lengths of the texts that are compared: a letter, a query, a description, a piece of a body. */
const COMPARED_TOKENS = [3, 13, 40, 220];

/**
 * Write the model's graph as the runtime has optimised it, for the next starts:
 * they read it in half the time that the published one takes. It is taken up
 * only if its vectors are the same to the last bit.
 *
 * @returns whether the next start will use it
 * @throws ModelError when the model cannot run; Error when the file cannot be written
 */
export async function prepareModel(
  dir: string,
  profile: ModelProfile,
  cache: ModelCache,
): Promise<boolean> {
  const runtime = loadRuntime();
  const memory = await recallModel(cache, profile);
  const name = preparedName(profile, runtime);
  if (memory.prepared?.name === name && memory.prepared.stamp === null) return false;
  const fault = await findModelFault(dir, profile, memory.whole);
  if (fault !== null) throw new ModelError(fault);

  const draft = join(cache.dir, `${name}.${process.pid}`);
  let isSame = false;
  try {
    await mkdir(cache.dir, { recursive: true, mode: 0o700 });
    const published = await runtime.InferenceSession.create(join(dir, profile.weights.name), {
      ...SESSION,
      optimizedModelFilePath: draft,
      extra: { session: { save_model_format: 'ORT' } },
    });
    // Its stamp must not outlive its bytes when the power fails.
    const file = await open(draft, 'r+');
    await file.sync().finally(() => file.close());
    const prepared = await openBytes(runtime, await readWhole(draft));
    isSame = await areSame(runtime, profile, published, prepared);
    const outdated = (await readdir(cache.dir)).filter(
      (entry) => entry.startsWith(`${profile.id}-`) && entry !== `${name}.${process.pid}`,
    );
    for (const entry of outdated) await rm(join(cache.dir, entry), { force: true });
    if (isSame) await rename(draft, join(cache.dir, name));
  } finally {
    await rm(draft, { force: true });
  }
  const stamp = isSame ? await readStamp(join(cache.dir, name)) : null;
  await rememberModel(cache, profile, { whole: memory.whole, prepared: { name, stamp } });
  return isSame;
}

async function areSame(
  runtime: Runtime,
  { dim }: ModelProfile,
  one: InferenceSession,
  other: InferenceSession,
): Promise<boolean> {
  for (const length of COMPARED_TOKENS) {
    // Any words of the vocabulary do; 7919 is a prime, so that they differ.
    const ids = Array.from({ length }, (_, i) => 1_000 + ((i * 7_919) % 25_000));
    const expected = await embedTokens(runtime, one, ids, dim);
    const found = await embedTokens(runtime, other, ids, dim);
    if (!expected.every((value, i) => value === found[i])) return false;
  }
  return true;
}

/** Another model, runtime or processor family makes another graph. */
function preparedName({ id, weights }: ModelProfile, { env }: Runtime): string {
  const parts = [id, weights.sha256.slice(0, 12), 'ort', env.versions.node, process.arch];
  return `${parts.join('-')}.ort`;
}
