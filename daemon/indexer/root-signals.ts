import type { Scope } from '../../src/core/scope.ts';
import { isGitAtWork } from './git-lock.ts';
import { isRemoved, type Root } from './root.ts';
import { dueAt } from './settle.ts';

/** How soon to look again while git is at work. */
const GIT_RECHECK_MS = 25;

/** Gathers what is reported of each root into bursts, and tells when one has settled. */
export class RootSignals {
  readonly #scope: Scope;
  readonly #onSettled: (root: Root) => void;

  constructor(scope: Scope, onSettled: (root: Root) => void) {
    this.#scope = scope;
    this.#onSettled = onSettled;
  }

  /** Something happened at `path`, at or below the root: it has to be read soon. */
  signal(root: Root, path: string): void {
    const now = performance.now();
    root.signalled++;
    root.dirty.add(path);
    root.burst = { firstAt: root.burst?.firstAt ?? now, lastAt: now, paths: root.dirty.size };
    this.#schedule(root, dueAt(root.burst) - now);
  }

  #schedule(root: Root, afterMs: number): void {
    if (this.#scope.isClosed || isRemoved(root)) return;
    root.cancelTimer();
    root.cancelTimer = this.#scope.timeout(Math.max(0, afterMs), 'settling', () => this.#act(root));
  }

  /** The burst has settled, unless git is still at work in the same tree. */
  #act(root: Root): void {
    if (isRemoved(root) || root.burst === null) return;
    const isWaiting = root.gitLock !== null && isGitAtWork(root.gitLock);
    if (isWaiting || root.sawGit) {
      // Once more after git has ended: its last files may not have been reported yet.
      root.sawGit = isWaiting;
      this.#schedule(root, GIT_RECHECK_MS);
      return;
    }
    this.#onSettled(root);
  }
}

/** What a pass begins with: the signals so far, and the paths they named. None of them is due any more. */
export function takeSignals(root: Root): { signalled: number; dirty: ReadonlySet<string> } {
  const { signalled, dirty } = root;
  root.dirty = new Set();
  root.burst = null;
  root.cancelTimer();
  return { signalled, dirty };
}

/** What a pass could not bring into the index is owed still. */
export function returnSignals(root: Root, dirty: ReadonlySet<string>): void {
  for (const path of dirty) root.dirty.add(path);
}
