import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:worker_threads';
import { readChildCode, startChild } from './embedder/start-child.ts';
import { bootThread, readThreadCode } from './indexer/start-thread.ts';

/** A child and a thread that wait for their first message. */
export interface BootedParts {
  embedder: ChildProcess;
  indexer: Worker;
}

/**
 * Start what boots for itself before this thread evaluates its own code: a
 * cold start then waits for the longest of the three, not for their sum.
 */
export function bootParts(): BootedParts {
  return { embedder: startChild(readChildCode()), indexer: bootThread(readThreadCode()) };
}
