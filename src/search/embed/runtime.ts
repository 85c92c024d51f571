import { createRequire } from 'node:module';
import type { ModelFault } from './verify.ts';

/** Thrown when a model cannot be loaded. */
export class ModelError extends Error {
  readonly fault: ModelFault;

  constructor(fault: ModelFault) {
    super(fault.detail);
    this.fault = fault;
  }
}

/** The part of onnxruntime-node that is used; the package is optional. */
export interface Runtime {
  InferenceSession: {
    create(model: string | Uint8Array, options: object): Promise<InferenceSession>;
  };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
  env: { versions: { node?: string } };
}
export interface InferenceSession {
  run(inputs: Record<string, unknown>): Promise<Record<string, { data: unknown }>>;
}

export const SESSION = {
  // One thread: a text is too short to share out, and agents need the other cores.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // Everything that holds on any processor; what lies beyond is for convolutions.
  graphOptimizationLevel: 'extended',
  // The arena keeps the largest text's memory for ever.
  enableCpuMemArena: false,
  enableMemPattern: false,
} as const;

/**
 * onnxruntime 1.30 keeps an id of the machine and a queue of usage reports for its
 * makers below HOME, unless the environment says no before it is loaded.
 */
export function silenceRuntime(): void {
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
}

/** @throws ModelError when the package is absent or does not fit this machine */
export function loadRuntime(): Runtime {
  silenceRuntime();
  try {
    return createRequire(import.meta.url)('onnxruntime-node') as Runtime;
  } catch (error) {
    throw new ModelError({
      kind: 'runtime',
      detail: `onnxruntime-node cannot be loaded: ${firstLine((error as Error).message)}`,
    });
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
