// What a life of the daemon in this process opens and leaves open.
import { createHook } from 'node:async_hooks';
import type { Scope } from '../../src/core/scope.ts';

/** What a life may leave open: timers, unreferenced ones too, watchers, servers, sockets, children, threads. */
const WATCHED = /^(Timeout|FSEVENTWRAP|STATWATCHER|(PIPE|TCP)(SERVER)?WRAP|PROCESSWRAP|WORKER)$/;

export interface OpenResources {
  /** Note what is open and owned in the middle of a life. */
  noteDuring(scope: Scope): void;
  /** Print as JSON what was, and what still is when the life is over. */
  report(scope: Scope): Promise<void>;
}

/** @param isIgnored judges by the stack where a resource was opened */
export function watchResources(isIgnored: (stack: string) => boolean = () => false): OpenResources {
  const open = new Map<number, string>();
  const hook = createHook({
    init(id, type) {
      if (!WATCHED.test(type)) return;
      const stack = new Error().stack!;
      if (!isIgnored(stack)) open.set(id, `${type} ${stack.split('\n').slice(2).join(' ')}`);
    },
    destroy(id) {
      open.delete(id);
    },
  });
  hook.enable();
  let owned: readonly string[] = [];
  let during: string[] = [];
  return {
    noteDuring(scope) {
      owned = scope.owned;
      during = [...open.values()].map((what) => what.split(' ')[0]!);
    },
    async report(scope) {
      // Closing callbacks and the destroy hooks run in later turns.
      for (let turn = 0; turn < 50; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      hook.disable();
      process.stdout.write(
        JSON.stringify({
          owned,
          during,
          stillOwned: scope.owned,
          left: [...open.values()],
          resources: process.getActiveResourcesInfo(),
        }),
      );
    },
  };
}
