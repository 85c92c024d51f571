import type { Scope } from '../../src/core/scope.ts';

/** Rest before a dead child is started again; doubles with each death in a row. */
const RESTART_MS = 100;
const RESTART_LIMIT_MS = 30_000;

/** Deaths of children, and the rest after each. */
export class Restarts {
  readonly #scope: Scope;
  #deaths = 0;
  #deathsInARow = 0;
  #isResting = false;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Since the start. */
  get deaths(): number {
    return this.#deaths;
  }

  /** True from a death until its rest is over. */
  get isResting(): boolean {
    return this.#isResting;
  }

  /** @param wasHealthy whether the dead one lived so long that this death is a first one */
  count(wasHealthy: boolean): void {
    this.#deaths++;
    this.#deathsInARow = wasHealthy ? 1 : this.#deathsInARow + 1;
  }

  /** Call back when the rest after the last death is over. */
  rest(whenOver: () => void): void {
    const doublings = Math.min(this.#deathsInARow - 1, 10);
    const restMs = Math.min(RESTART_LIMIT_MS, RESTART_MS * 2 ** doublings);
    this.#isResting = true;
    this.#scope.timeout(restMs, 'embedder restart', () => {
      this.#isResting = false;
      whenOver();
    });
  }
}
