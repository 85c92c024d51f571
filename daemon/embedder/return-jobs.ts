import { endWithoutVector, type Job } from './job.ts';
import type { JobQueue } from './job-queue.ts';
import type { EmbedderLog } from './log.ts';

/** A text that was in work at this many deaths is the cause, and is skipped. */
const DEATHS_PER_TEXT = 2;

/**
 * Give back what an ended child had in work, for the next one: first in line,
 * in its order.
 *
 * @param hasDied whether it ended by itself, perhaps of one of them
 */
export function returnJobs(
  jobs: readonly Job[],
  hasDied: boolean,
  queue: JobQueue,
  log: EmbedderLog,
): void {
  for (const job of [...jobs].reverse()) {
    if (hasDied) job.deaths++;
    if (job.deaths < DEATHS_PER_TEXT) {
      queue.putBack(job);
      continue;
    }
    if (job.kind === 'bulk') {
      log.warn({ chars: job.text.length }, 'a text that ended the embedder twice is left out');
    }
    endWithoutVector(job, 'the embedder died on this query');
  }
}
