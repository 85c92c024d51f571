import { join } from 'node:path';
import { embedTokens } from './embed-tokens.ts';
import { type ModelCache, recallModel, rememberModel } from './model-memory.ts';
import { openPrepared, readPrepared } from './prepared.ts';
import type { ModelProfile } from './profile.ts';
import { loadRuntime, ModelError, SESSION } from './runtime.ts';
import { findModelFault } from './verify.ts';
import { readWordPiece } from './wordpiece.ts';

/** A loaded model: one text in, one unit vector out. */
export interface EmbeddingSession {
  /** True when the graph was one made ready by `prepareModel`. */
  isPrepared: boolean;
  /** @throws whatever the runtime throws for this text */
  embed(text: string): Promise<Float32Array>;
}

export interface SessionOptions {
  /** The files were checked in this daemon's life. */
  isVerified?: boolean;
  /** Null: each file is hashed, and the weights are read as they were published. */
  cache?: ModelCache | null;
  /** False after a prepared graph may have ended the process. */
  usesPrepared?: boolean;
}

/**
 * Load a model from `dir`, its files checked first.
 *
 * @throws ModelError
 */
export async function openEmbeddingSession(
  dir: string,
  profile: ModelProfile,
  { isVerified = false, cache = null, usesPrepared = true }: SessionOptions = {},
): Promise<EmbeddingSession> {
  const runtime = loadRuntime();
  const memory = await recallModel(cache, profile);
  // Read while the files are checked and the vocabulary is made.
  const reading =
    usesPrepared && cache !== null ? readPrepared(runtime, profile, cache, memory) : null;
  if (!isVerified) {
    const before = [...memory.whole].join();
    const fault = await findModelFault(dir, profile, memory.whole);
    if (cache?.isWritable === true && [...memory.whole].join() !== before) {
      // It saves the next start time, and is worth no failure of this one.
      await rememberModel(cache, profile, memory).catch(() => {});
    }
    if (fault !== null) throw new ModelError(fault);
  }
  try {
    const wordPiece = readWordPiece(join(dir, profile.tokenizer.name));
    const bytes = await reading;
    const prepared = bytes === null ? null : await openPrepared(runtime, bytes);
    const session =
      prepared ?? (await runtime.InferenceSession.create(join(dir, profile.weights.name), SESSION));
    return {
      isPrepared: prepared !== null,
      embed: (text) =>
        embedTokens(runtime, session, wordPiece.encode(text, profile.maxTokens), profile.dim),
    };
  } catch (error) {
    throw new ModelError({ kind: 'corrupt', detail: `${dir}: ${(error as Error).message}` });
  }
}
