import type { ModelProfile } from './profile.ts';
import type { ModelFault } from './verify.ts';

export interface EmbedderHealth {
  /** `resting`: stopped to give memory back, started again by the next request. */
  state: 'starting' | 'ready' | 'restarting' | 'resting' | 'failed';
  /** What keeps the model from running; null unless `failed`. */
  fault: ModelFault | null;
  /** Resident bytes of the child as it last said; null before. */
  rssBytes: number | null;
  pid: number | null;
  /** Children that died unasked since the start. */
  deaths: number;
  /** Bulk texts that wait. */
  waiting: number;
}

/** Makes vectors, somewhere. All vectors of one embedder belong to `profile.id`. */
export interface Embedder {
  readonly profile: ModelProfile;
  /**
   * The vector of a query, ahead of all bulk work.
   *
   * @throws EmbedderUnavailable when there is none within the time a search may take
   */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /**
   * Vectors of texts, in order; null for a text that cannot be embedded. Never
   * rejects while the embedder lives on: it waits through crashes.
   *
   * @throws EmbedderUnavailable when the model cannot run, or the scope closes
   */
  embedTexts(texts: readonly string[]): Promise<(Float32Array | null)[]>;
  health(): EmbedderHealth;
  /** Try a failed model again now, or wake a resting one. */
  wake(): void;
}

/** Why a vector could not be had; searches go on lexically and say so. */
export class EmbedderUnavailable extends Error {
  override readonly name = 'EmbedderUnavailable';
}
