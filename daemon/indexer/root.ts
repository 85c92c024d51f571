import type { IndexRoot } from '../../src/store/indexer-port.ts';
import { findGitLock } from './git-lock.ts';
import type { Burst } from './settle.ts';

/** Why a root is read again and again instead of being watched. */
export interface Polling {
  reason: string;
  /** What a person can do about it. */
  remedy: string;
  /** From when on watching may be tried again, ms of the monotonic clock. */
  watchAgainAt: number;
}

/** A root that is read, with what is known of it from moment to moment. */
export interface Root extends IndexRoot {
  /** Enrolled for good, as opposed to leased. */
  isKept: boolean;
  isLeased: boolean;
  /** Aborted when the root is removed: a reading of it ends early. */
  ended: AbortController;
  /** Set while events cannot be relied on; null while it is watched. */
  polled: Polling | null;
  /** The `.git/index.lock` of the working tree that holds the root. */
  gitLock: string | null;
  sawGit: boolean;
  /** Why the last pass failed; null after one that did not. */
  failure: string | null;
  burst: Burst | null;
  dirty: Set<string>;
  cancelTimer: () => void;
  /** Signals so far, and how many of them the index has. */
  signalled: number;
  indexed: number;
  waiting: { until: number; done: () => void }[];
  /** Passes run one after another. */
  queue: Promise<unknown>;
  passMs: number;
  lastPassAt: number;
}

/** A root of which nothing has been reported or read yet. */
export function makeRoot(target: IndexRoot): Root {
  return {
    ...target,
    isKept: false,
    isLeased: false,
    ended: new AbortController(),
    polled: null,
    gitLock: findGitLock(target.root),
    sawGit: false,
    failure: null,
    burst: null,
    dirty: new Set(),
    cancelTimer: () => {},
    signalled: 0,
    indexed: 0,
    waiting: [],
    queue: Promise.resolve(),
    passMs: 0,
    lastPassAt: performance.now(),
  };
}

export function isRemoved(root: Root): boolean {
  return root.ended.signal.aborted;
}

/** Resolves when every signal up to now is in the index, or the root is removed. */
export function whenIndexed(root: Root): Promise<void> {
  return new Promise<void>((done) => {
    if (root.indexed >= root.signalled) done();
    else root.waiting.push({ until: root.signalled, done });
  });
}

/** The index has the first `signalled` signals: tell whoever waited for them. */
export function markIndexed(root: Root, signalled: number): void {
  root.indexed = signalled;
  root.waiting = root.waiting.filter(({ until, done }) => {
    if (until > signalled) return true;
    done();
    return false;
  });
}

/** Nobody shall wait for a root that is removed. */
export function releaseWaiting(root: Root): void {
  for (const { done } of root.waiting.splice(0)) done();
}
