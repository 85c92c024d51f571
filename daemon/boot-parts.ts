import type { Worker } from 'node:worker_threads';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import { type BootedChild, bootChild } from './embedder/boot-child.ts';
import { bootThread, readThreadCode } from './indexer/start-thread.ts';

/** A child that loads the model, and a thread that waits for its first message. */
export interface BootedParts {
  embedder: BootedChild;
  indexer: Worker;
}

/**
 * Start what boots for itself before this thread evaluates its own code: a
 * cold start then waits for the longest of the three, not for their sum.
 */
export function bootParts(paths: Pick<StatePaths, 'models'>): BootedParts {
  return {
    embedder: bootChild({ dir: paths.models, isWritable: true }),
    indexer: bootThread(readThreadCode()),
  };
}
