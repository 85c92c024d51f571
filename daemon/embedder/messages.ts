import type { ModelCache } from '../../src/search/embed/model-memory.ts';
import type { ModelProfile } from '../../src/search/embed/profile.ts';
import type { ModelFault } from '../../src/search/embed/verify.ts';

/** Daemon → embedder. */
export type ToEmbedder =
  | {
      kind: 'load';
      dir: string;
      profile: ModelProfile;
      isVerified: boolean;
      cache: ModelCache | null;
      usesPrepared: boolean;
    }
  /** Instead of `load`: make the next starts quicker, then end. */
  | { kind: 'prepare'; dir: string; profile: ModelProfile; cache: ModelCache }
  /** Answered before any bulk text that waits. */
  | { kind: 'query'; id: number; text: string }
  | { kind: 'bulk'; id: number; text: string };

/** Embedder → daemon. */
export type FromEmbedder =
  | { kind: 'ready'; rss: number; isPrepared: boolean }
  | { kind: 'prepared'; isUsed: boolean }
  | { kind: 'fault'; fault: ModelFault }
  | { kind: 'vector'; id: number; vector: Float32Array; rss: number }
  /** This text could not be embedded; the session goes on. */
  | { kind: 'failed'; id: number; message: string };
