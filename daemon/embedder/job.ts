import { EmbedderUnavailable } from '../../src/search/embed/embedder.ts';

/** One text that is to become a vector. */
export interface Job {
  id: number;
  /** Queries are waited for; bulk texts are left out where they cannot be embedded. */
  kind: 'query' | 'bulk';
  text: string;
  /** Children that died while they had it in work. */
  deaths: number;
  resolve(vector: Float32Array | null): void;
  reject(error: Error): void;
}

/** End a job that gets no vector: a query fails, a bulk text is left out. */
export function endWithoutVector(job: Job, why: string): void {
  if (job.kind === 'bulk') job.resolve(null);
  else job.reject(new EmbedderUnavailable(why));
}
