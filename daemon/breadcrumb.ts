import { closeSync, writeSync } from 'node:fs';
import { openOwnFileAnew, readOwnFile } from '../src/protocol/link/own-file.ts';

/** Deaths on one item after which it is left alone. */
const DEATHS_ALLOWED = 1;

/** Items remembered; a file is forgotten when it was worked on without harm. */
const MAX_REMEMBERED = 100;

interface Trail {
  /** What was in work when this was written; null between items. */
  inWork: string | null;
  /** How many births ended on an item. */
  deaths: Record<string, number>;
}

/**
 * The item in work, on disk before the work begins, so that the next birth
 * knows what the last one died of (design 3D). Killed twice by one item, it
 * leaves that alone until the item changes or a person asks for it.
 */
export class Breadcrumb {
  readonly #path: string;
  readonly #deaths: Map<string, number>;
  #file: number | undefined;
  /** Bytes of the longest trail written so far. */
  #length = 0;

  /** Reads what the last birth left; an unreadable trail is an empty one. */
  constructor(path: string) {
    this.#path = path;
    const trail = readTrail(path);
    this.#deaths = new Map(Object.entries(trail.deaths));
    if (trail.inWork !== null) {
      this.#deaths.set(trail.inWork, (this.#deaths.get(trail.inWork) ?? 0) + 1);
    }
    this.#write(null);
  }

  /** Items that killed a birth more often than is allowed. */
  get quarantined(): string[] {
    return [...this.#deaths].filter(([, deaths]) => deaths > DEATHS_ALLOWED).map(([item]) => item);
  }

  isQuarantined(item: string): boolean {
    return (this.#deaths.get(item) ?? 0) > DEATHS_ALLOWED;
  }

  /** The work on `item` begins now; the item before it is done. */
  enter(item: string): void {
    this.#write(item);
  }

  /** No item is in work. Those in `survived` have proved harmless. */
  leave(survived: Iterable<string> = []): void {
    if (this.#deaths.size > 0) for (const item of survived) this.#deaths.delete(item);
    this.#write(null);
  }

  /** Give an item another chance: it changed, or a person asked. True when it had deaths. */
  forgive(item: string): boolean {
    const isForgiven = this.#deaths.delete(item);
    if (isForgiven) this.#write(null);
    return isForgiven;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(inWork: string | null): void {
    const kept = [...this.#deaths].slice(-MAX_REMEMBERED);
    const trail: Trail = { inWork, deaths: Object.fromEntries(kept) };
    const text = JSON.stringify(trail);
    // Blanks over the rest of a longer one: JSON allows them, and a second call to cut it off
    // would double what each search pays for this.
    const bytes = Buffer.alloc(Math.max(this.#length, Buffer.byteLength(text)), ' ');
    bytes.write(text);
    this.#length = bytes.length;
    try {
      this.#file ??= openOwnFileAnew(this.#path);
      // In place and without fsync: it must outlive the process, not a power cut.
      writeSync(this.#file, bytes, 0, bytes.length, 0);
    } catch {
      // Where nothing can be written there is no trail; the work goes on.
    }
  }
}

function readTrail(path: string): Trail {
  try {
    const trail = JSON.parse(readOwnFile(path)) as Partial<Trail> | null;
    const deaths = Object.entries(trail?.deaths ?? {}).filter(
      ([, count]) => Number.isInteger(count) && count > 0,
    );
    return {
      inWork: typeof trail?.inWork === 'string' ? trail.inWork : null,
      deaths: Object.fromEntries(deaths),
    };
  } catch {
    return { inWork: null, deaths: {} };
  }
}
