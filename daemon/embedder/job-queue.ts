import type { Job } from './job.ts';

/** Jobs that no child has in work, queries apart from bulk texts. */
export class JobQueue {
  readonly #queries: Job[] = [];
  readonly #bulk: Job[] = [];
  #lastId = 0;

  get isEmpty(): boolean {
    return this.#queries.length + this.#bulk.length === 0;
  }

  /** Bulk texts that wait. */
  get bulkWaiting(): number {
    return this.#bulk.length;
  }

  /** Put a text last in line; its vector settles as the job does. */
  add(kind: Job['kind'], text: string): { job: Job; vector: Promise<Float32Array | null> } {
    let job!: Job;
    const vector = new Promise<Float32Array | null>((resolve, reject) => {
      job = { id: ++this.#lastId, kind, text, deaths: 0, resolve, reject };
    });
    this.#lineOf(job).push(job);
    return { job, vector };
  }

  /** Put a job that was in work first in line. */
  putBack(job: Job): void {
    this.#lineOf(job).unshift(job);
  }

  /** Fail a job that nobody waits for any more. Where it is in work, its vector is ignored. */
  withdraw(job: Job, error: Error): void {
    const line = this.#lineOf(job);
    const at = line.indexOf(job);
    if (at >= 0) line.splice(at, 1);
    job.reject(error);
  }

  /** All queries, first come first. */
  takeQueries(): Job[] {
    return this.#queries.splice(0);
  }

  takeBulk(): Job | undefined {
    return this.#bulk.shift();
  }

  /** Fail all that waits. */
  rejectAll(error: Error): void {
    for (const job of [...this.#queries.splice(0), ...this.#bulk.splice(0)]) job.reject(error);
  }

  #lineOf(job: Job): Job[] {
    return job.kind === 'query' ? this.#queries : this.#bulk;
  }
}
