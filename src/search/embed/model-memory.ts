import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stampOf } from '../../core/file-stamp.ts';
import { readOwnFile } from '../../protocol/link/own-file.ts';
import type { ModelProfile } from './profile.ts';

/** Where a daemon keeps what it found out about its model, over lives. */
export interface ModelCache {
  dir: string;
  /** False for a session that must not write: what is remembered is used all the same. */
  isWritable: boolean;
}

/** What was found out about a model's files on this machine. */
export interface ModelMemory {
  /** Stamps of files whose digest was found right: hashing 24 MB costs each start 70 ms. */
  whole: Set<string>;
  /** The file that `prepareModel` made; without a stamp where it could not. */
  prepared: { name: string; stamp: string | null } | null;
}

/** The stamp of a file, or null when there is none. */
export async function readStamp(path: string): Promise<string | null> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats === null ? null : stampOf(path, stats);
}

/** Read the memory; one that is absent or damaged is an empty one. */
export async function recallModel(
  cache: ModelCache | null,
  profile: ModelProfile,
): Promise<ModelMemory> {
  const memory: ModelMemory = { whole: new Set(), prepared: null };
  if (cache === null) return memory;
  try {
    const { whole, prepared } = JSON.parse(readOwnFile(fileOf(cache, profile)));
    for (const stamp of whole) if (typeof stamp === 'string') memory.whole.add(stamp);
    if (typeof prepared?.name === 'string') memory.prepared = prepared;
  } catch {
    // It costs a start 70 ms, and is written again.
  }
  return memory;
}

/** @throws Error when it cannot be written */
export async function rememberModel(
  cache: ModelCache,
  profile: ModelProfile,
  memory: ModelMemory,
): Promise<void> {
  const file = fileOf(cache, profile);
  await mkdir(cache.dir, { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}`;
  const { whole, prepared } = memory;
  await writeFile(written, JSON.stringify({ whole: [...whole], prepared }), { mode: 0o600 });
  await rename(written, file);
}

function fileOf(cache: ModelCache, profile: ModelProfile): string {
  return join(cache.dir, `${profile.id}.json`);
}
