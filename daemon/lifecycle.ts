import type { Scope } from '../src/core/scope.ts';

/**
 * How often we look whether clients can still find us. Two small files and
 * a few `stat`; a state root that was removed or replaced is let go of within this time.
 */
const OWNERSHIP_MS = 2000;

/** Call `onIdle` once nothing was busy for `idleMs`; null never does. */
export function watchIdleness(
  scope: Scope,
  idleMs: number | null,
  onIdle: () => void,
): { setBusy(isBusy: boolean): void } {
  let cancel: (() => void) | undefined;
  const start = () => {
    if (idleMs !== null && !scope.isClosed) cancel = scope.timeout(idleMs, 'idle exit', onIdle);
  };
  start();
  return {
    setBusy(isBusy) {
      cancel?.();
      cancel = undefined;
      if (!isBusy) start();
    },
  };
}

/**
 * Notice when record, token, socket or lock are no longer ours: the state root was
 * removed, restored from a backup, or another daemon stands there. Then nobody
 * new can reach us, and holding on would only keep a deleted database open.
 *
 * @param onHeld called each time that everything is
 */
export function watchOwnership(
  scope: Scope,
  isOurs: () => boolean,
  { onHeld, onLost }: { onHeld: () => void; onLost: () => void },
): void {
  scope.interval(OWNERSHIP_MS, 'ownership watch', () => {
    if (isOurs()) onHeld();
    else onLost();
  });
}
