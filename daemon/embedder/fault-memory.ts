import type { ModelFault } from '../../src/search/embed/verify.ts';

/** A model that could not be loaded is tried again on request, at most this often. */
const RETRY_FAULT_MS = 30_000;

/** What keeps the model from running, and when it may be tried again. */
export class FaultMemory {
  #fault: ModelFault | null = null;
  #foundAt = 0;

  get fault(): ModelFault | null {
    return this.#fault;
  }

  remember(fault: ModelFault): void {
    this.#fault = fault;
    this.#foundAt = performance.now();
  }

  /** Let the next request try the model again. */
  expire(): void {
    this.#foundAt = Number.NEGATIVE_INFINITY;
  }

  /** @returns whether the model may be tried now; a fault that stood against it is forgotten */
  forgetIfDue(): boolean {
    if (this.#fault !== null && performance.now() - this.#foundAt < RETRY_FAULT_MS) return false;
    this.#fault = null;
    return true;
  }
}
