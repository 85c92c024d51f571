import { expect, test } from 'vitest';
import type { Job } from '../../daemon/embedder/job.ts';
import { JobQueue } from '../../daemon/embedder/job-queue.ts';
import { returnJobs } from '../../daemon/embedder/return-jobs.ts';
import { EmbedderUnavailable } from '../../src/search/embed/embedder.ts';

const silent = { info: () => {}, warn: () => {} };

/** Take a job that was just put in line, as a child does. */
function takeNext(queue: JobQueue, kind: Job['kind']): Job {
  return kind === 'query' ? queue.takeQueries()[0]! : queue.takeBulk()!;
}

test('what was in work at a death is first in line for the next child, in its order', () => {
  const queue = new JobQueue();
  for (const text of ['first', 'second', 'third']) queue.add('bulk', text);
  const inWork = [queue.takeBulk()!, queue.takeBulk()!];
  returnJobs(inWork, true, queue, silent);
  const order = [queue.takeBulk(), queue.takeBulk(), queue.takeBulk()].map((job) => job?.text);
  expect(order).toEqual(['first', 'second', 'third']);
});

test('a bulk text that was in work at two deaths is left out', async () => {
  const queue = new JobQueue();
  const { vector } = queue.add('bulk', 'deadly');
  returnJobs([takeNext(queue, 'bulk')], true, queue, silent);
  returnJobs([takeNext(queue, 'bulk')], true, queue, silent);
  expect(await vector).toBeNull();
  expect(queue.isEmpty).toBe(true);
});

test('a query that was in work at two deaths fails', async () => {
  const queue = new JobQueue();
  const { vector } = queue.add('query', 'deadly');
  const refused = expect(vector).rejects.toThrow(EmbedderUnavailable);
  returnJobs([takeNext(queue, 'query')], true, queue, silent);
  returnJobs([takeNext(queue, 'query')], true, queue, silent);
  await refused;
  expect(queue.isEmpty).toBe(true);
});

test('a child that we end costs no text its chance', () => {
  const queue = new JobQueue();
  queue.add('bulk', 'harmless');
  for (let life = 0; life < 5; life++) {
    returnJobs([takeNext(queue, 'bulk')], false, queue, silent);
  }
  expect(queue.bulkWaiting).toBe(1);
});
