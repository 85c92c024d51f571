import type { Child } from './child.ts';
import type { JobQueue } from './job-queue.ts';

/** Bulk texts with the child at once: one in work, one behind it, so that it never waits for us. */
const BULK_IN_FLIGHT = 2;

/** Give a child that is ready all queries, and bulk texts as far as it has room. */
export function giveJobs(queue: JobQueue, child: Child): void {
  for (const job of queue.takeQueries()) child.give(job);
  while (child.bulkInFlight < BULK_IN_FLIGHT) {
    const job = queue.takeBulk();
    if (job === undefined) break;
    child.give(job);
  }
}
