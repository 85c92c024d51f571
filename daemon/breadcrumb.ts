import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';

/** A second death is no accident; a first may be the out-of-memory killer. */
const DEADLY = 2;

/** Names kept; the oldest are forgotten first. */
const MOST_NAMES = 200;

interface Crumb {
  /** In work when this was written; null between items. */
  item: string | null;
  /** Births that died with the item in work, oldest first. */
  deaths: [item: string, count: number][];
}

/**
 * The item in work, on disk, so that the next birth knows what killed the last
 * (design 3 D). Each thread that works on hostile input has its own.
 */
export interface Breadcrumb {
  /** Items that were in work at two deaths: do not touch them again. */
  readonly quarantined: ReadonlySet<string>;
  /** The item that was in work when the last daemon died, for the log. */
  readonly killedLast: string | null;
  /** About to work on `item` (a file with its digest, a query). Costs one small write. */
  enter(item: string): void;
  leave(): void;
  /** Give an item another chance (it changed, or a person asks). */
  forgive(item: string): void;
  close(): void;
}

/**
 * Open the breadcrumb and count the death it tells of, if any.
 *
 * @param path `StatePaths.breadcrumb`; a thread adds its own name to it
 */
export function openBreadcrumb(path: string): Breadcrumb {
  const last = readCrumb(path);
  const deaths = new Map(last.deaths.slice(-MOST_NAMES));
  if (last.item !== null) deaths.set(last.item, (deaths.get(last.item) ?? 0) + 1);
  const quarantined = new Set(
    [...deaths].filter(([, count]) => count >= DEADLY).map(([item]) => item),
  );
  let fd: number | undefined;
  let current: string | null = null;
  const write = () => {
    const text = Buffer.from(
      JSON.stringify({ item: current, deaths: [...deaths] } satisfies Crumb),
    );
    try {
      fd ??= openSync(path, 'w', 0o600);
      writeSync(fd, text, 0, text.length, 0);
      ftruncateSync(fd, text.length);
    } catch {
      // A full disk: then the next death teaches nothing, and work goes on.
    }
  };
  write();
  return {
    quarantined,
    killedLast: last.item,
    enter: (item) => {
      current = item;
      write();
    },
    leave: () => {
      current = null;
      write();
    },
    forgive: (item) => {
      deaths.delete(item);
      quarantined.delete(item);
      write();
    },
    close: () => {
      current = null;
      write();
      if (fd !== undefined) closeSync(fd);
    },
  };
}

function readCrumb(path: string): Crumb {
  try {
    const crumb = JSON.parse(readFileSync(path, 'utf8')) as Partial<Crumb> | null;
    return {
      item: typeof crumb?.item === 'string' ? crumb.item : null,
      deaths: Array.isArray(crumb?.deaths) ? crumb.deaths.filter(isDeath) : [],
    };
  } catch {
    return { item: null, deaths: [] };
  }
}

function isDeath(value: unknown): value is [string, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
}
