import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stampOf } from '../../core/file-stamp.ts';
import type { ModelFile, ModelProfile } from './profile.ts';

export type ModelFaultKind = 'missing' | 'corrupt' | 'checksum_mismatched' | 'runtime';

/** What keeps a model from running. */
export interface ModelFault {
  kind: ModelFaultKind;
  detail: string;
}

/**
 * Check a model's files against its profile: absent is `missing`, another size
 * is `corrupt` (a download or copy that broke off), another digest of the right
 * size is `checksum_mismatched`.
 *
 * @param whole stamps of files whose digest is known to be right; those that are
 *              found right are added, those of the files' earlier selves taken out
 * @returns the first fault, or null
 */
export async function findModelFault(
  dir: string,
  profile: ModelProfile,
  whole: Set<string> = new Set(),
): Promise<ModelFault | null> {
  const known = new Set(whole);
  whole.clear();
  for (const file of [profile.weights, profile.tokenizer]) {
    const fault = await findFileFault(join(dir, file.name), file, known, whole);
    if (fault !== null) return fault;
  }
  return null;
}

async function findFileFault(
  path: string,
  file: ModelFile,
  known: ReadonlySet<string>,
  whole: Set<string>,
): Promise<ModelFault | null> {
  try {
    // Before the digest: a file that is written to meanwhile has another stamp afterwards.
    const stats = await stat(path, { bigint: true });
    if (stats.size !== BigInt(file.bytes)) {
      return {
        kind: 'corrupt',
        detail: `${path} has ${stats.size} bytes instead of ${file.bytes}`,
      };
    }
    const stamp = `${file.sha256} ${stampOf(path, stats)}`;
    if (known.has(stamp)) {
      whole.add(stamp);
      return null;
    }
    const digest = await digestFile(path);
    if (digest !== file.sha256) {
      return {
        kind: 'checksum_mismatched',
        detail: `${path} has SHA-256 ${digest} instead of ${file.sha256}`,
      };
    }
    whole.add(stamp);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return { kind: 'missing', detail: `${path} does not exist` };
    return { kind: 'corrupt', detail: `${path} cannot be read: ${message}` };
  }
}

async function digestFile(path: string): Promise<string> {
  // Seldom needed, and 5 ms of each start to load.
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  for await (const block of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(block);
  return hash.digest('hex');
}
