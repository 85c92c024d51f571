import { LecternError } from '../src/core/errors.ts';
import type { Scope } from '../src/core/scope.ts';
import type { PartNote } from '../src/library/parts.ts';
import { Breadcrumb } from './breadcrumb.ts';

/** Characters of a query by which it is known; the longest has 4,096, and each is written twice. */
const KNOWN_CHARS = 500;

/** Characters of a query in a line for people. */
const SHOWN_CHARS = 120;

/** Keeps queries on which the daemon died twice from ending it again (design 3D). */
export interface QueryGuard {
  /**
   * This thread works on a query now; what is returned is called when it does no more.
   *
   * @throws LecternError internal, query_quarantined
   */
  enter(query: string): () => void;
  /**
   * Run a query again.
   *
   * @param text the query, or how it begins
   * @returns the query
   * @throws LecternError usage (2) when none that begins so is quarantined
   */
  release(text: string): string;
  /** What `status` and `doctor` say of quarantined queries. */
  notes(): PartNote[];
}

/**
 * The trail names the one query that this thread works on: a write of some
 * microseconds before and after. Queries that wait for the watcher or for their
 * vector cannot end this process, and are not named.
 */
export function openQueryGuard(path: string, scope: Scope): QueryGuard {
  const trail = scope.own(new Breadcrumb(path), (open) => open.close(), 'query breadcrumb');

  return {
    enter(query) {
      const name = nameOf(query);
      if (trail.isQuarantined(name)) {
        throw new LecternError(
          'internal',
          'this query ended lectern twice and is not run any more',
          { code: 'query_quarantined', next: releaseCommand(name) },
        );
      }
      trail.enter(name);
      return () => trail.leave([name]);
    },
    release(text) {
      const name = trail.quarantined.find((query) => query.startsWith(nameOf(text)));
      if (name === undefined || text === '') {
        throw new LecternError('usage', `no query that begins with "${text}" is left out`, {
          next: 'lectern status',
        });
      }
      trail.forgive(name);
      return name;
    },
    notes: () =>
      trail.quarantined.map((name) => ({
        subsystem: 'search',
        diagnosis: `the query "${shorten(name)}" is left out: it ended lectern twice`,
        command: releaseCommand(name),
      })),
  };
}

function nameOf(query: string): string {
  return query.slice(0, KNOWN_CHARS);
}

/** A beginning is enough to release it, and quotes would need a shell's rules. */
function releaseCommand(name: string): string {
  return `lectern query --release "${shorten(name).replace(/["$`\\].*$/s, '')}"`;
}

function shorten(name: string): string {
  return name.slice(0, SHOWN_CHARS).replace(/\s+/g, ' ');
}
