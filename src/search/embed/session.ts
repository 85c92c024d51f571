import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ModelProfile } from './profile.ts';
import { findModelFault, type ModelFault } from './verify.ts';
import { readWordPiece } from './wordpiece.ts';

/** A loaded model: one text in, one unit vector out. */
export interface EmbeddingSession {
  /** @throws whatever the runtime throws for this text */
  embed(text: string): Promise<Float32Array>;
}

/** Thrown when a model cannot be loaded. */
export class ModelError extends Error {
  readonly fault: ModelFault;

  constructor(fault: ModelFault) {
    super(fault.detail);
    this.fault = fault;
  }
}

/** The part of onnxruntime-node that is used; the package is optional. */
interface Runtime {
  InferenceSession: {
    create(path: string, options: object): Promise<InferenceSession>;
  };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
}
interface InferenceSession {
  run(inputs: Record<string, unknown>): Promise<Record<string, { data: unknown }>>;
}

/**
 * Load a model from `dir`.
 *
 * @param isVerified the files were checked before and have not changed since
 * @throws ModelError
 */
export async function openEmbeddingSession(
  dir: string,
  profile: ModelProfile,
  isVerified: boolean,
): Promise<EmbeddingSession> {
  const runtime = loadRuntime();
  if (!isVerified) {
    const fault = await findModelFault(dir, profile);
    if (fault !== null) throw new ModelError(fault);
  }
  try {
    const wordPiece = readWordPiece(join(dir, profile.tokenizer.name));
    const session = await runtime.InferenceSession.create(join(dir, profile.weights.name), {
      // One thread: a text is too short to share out, and agents need the other cores.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      // The arena keeps the largest text's memory for ever.
      enableCpuMemArena: false,
      enableMemPattern: false,
    });
    return {
      async embed(text) {
        const ids = wordPiece.encode(text, profile.maxTokens);
        const dims = [1, ids.length];
        const output = await session.run({
          input_ids: new runtime.Tensor('int64', BigInt64Array.from(ids, BigInt), dims),
          attention_mask: new runtime.Tensor('int64', new BigInt64Array(ids.length).fill(1n), dims),
        });
        return checkVector(output['sentence_embedding']?.data, profile.dim);
      },
    };
  } catch (error) {
    throw new ModelError({ kind: 'corrupt', detail: `${dir}: ${(error as Error).message}` });
  }
}

function loadRuntime(): Runtime {
  try {
    return createRequire(import.meta.url)('onnxruntime-node') as Runtime;
  } catch (error) {
    throw new ModelError({
      kind: 'runtime',
      detail: `onnxruntime-node cannot be loaded: ${firstLine((error as Error).message)}`,
    });
  }
}

/** @throws Error when the model's output is no vector of numbers (library contract 5.1) */
function checkVector(output: unknown, dim: number): Float32Array {
  if (!(output instanceof Float32Array) || output.length !== dim)
    throw new Error(`the model gave no vector of ${dim} numbers`);
  let squares = 0;
  for (const value of output) squares += value * value;
  if (!(squares > 0.98 && squares < 1.02)) throw new Error('the model gave no unit vector');
  return output;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
