import type { Scope } from '../../src/core/scope.ts';

/** Take all steps, letting the event loop turn between them; stops with the scope. */
export async function runInSteps(steps: Iterable<void>, scope: Scope): Promise<void> {
  const each = steps[Symbol.iterator]();
  while (!scope.isClosed && each.next().done !== true) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
