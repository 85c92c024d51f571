import { statSync } from 'node:fs';
import type { Database } from '../../src/store/database.ts';
import type { IndexHealth, IndexProgress } from '../../src/store/indexer-port.ts';
import { schemaVersion } from '../../src/store/open-database.ts';
import type { ThreadHealth } from './messages.ts';

/** Until the thread says otherwise. */
const UNHEARD: ThreadHealth = {
  state: 'ready',
  detail: null,
  polled: [],
  quarantined: [],
  integrityOk: true,
  reindexedAt: null,
  reading: { stage: 'idle', done: 0, total: 0 },
};

/** How the index is, put together from what the thread and the embedder last said. */
export class Health {
  readonly #path: string;
  #thread = UNHEARD;
  #embedding: IndexProgress | null = null;

  /** @param path of the index, for its size */
  constructor(path: string) {
    this.#path = path;
  }

  hear(thread: ThreadHealth): void {
    this.#thread = thread;
  }

  hearReading(reading: IndexProgress): void {
    this.#thread = { ...this.#thread, reading };
  }

  /** What the embedder is at; null when it is idle. */
  hearEmbedding(progress: IndexProgress | null): void {
    this.#embedding = progress;
  }

  now(db: Database): IndexHealth {
    const { reading, ...rest } = this.#thread;
    return {
      ...rest,
      progress: reading.stage !== 'idle' || this.#embedding === null ? reading : this.#embedding,
      sizeBytes: sizeOf(this.#path) + sizeOf(`${this.#path}-wal`),
      schemaVersion: schemaVersion(db),
    };
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
