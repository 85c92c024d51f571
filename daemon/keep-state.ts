import type { PartNote } from '../src/library/parts.ts';
import type { StateRescue } from '../src/store/state/state-database.ts';
import type { StateStore } from '../src/store/state/state-store.ts';
import type { Log } from './log.ts';

/** Keeps what people decided where the next daemon looks for it. */
export interface StateKeeper {
  /** See `StateDatabase.keepFile`. Never throws. */
  look(isUrgent: boolean): void;
  /** What happened to state.db in this life, for `status` and `doctor`. */
  notes(): PartNote[];
}

/** @param onReplaced what was decided is other than it was */
export function keepState(
  state: StateStore,
  path: string,
  log: Log,
  onReplaced: () => void,
): StateKeeper {
  let told = 0;
  let failure: string | null = null;
  /** A decision may have brought a rescue along. */
  const tell = () => {
    for (const rescue of state.rescues.slice(told)) {
      log.warn({ copy: rescue.copy }, describe(rescue, path));
      if (rescue.kind === 'replaced') onReplaced();
    }
    told = state.rescues.length;
  };
  return {
    look(isUrgent) {
      try {
        state.keepFile(isUrgent);
        failure = null;
      } catch (error) {
        const { message } = error as Error;
        if (message !== failure) log.error({ err: error }, `${path} was removed or replaced`);
        failure = message;
      }
      tell();
    },
    notes: () => [
      ...(failure === null
        ? []
        : [
            {
              subsystem: 'state',
              diagnosis: `${path} was removed or replaced while the daemon ran, and what was decided cannot be written back: ${failure}`,
              command: 'free some space or move away what is there now',
            },
          ]),
      ...state.rescues.map((rescue) => ({
        subsystem: 'state',
        diagnosis: describe(rescue, path),
        command: NEXT[rescue.kind],
      })),
    ],
  };
}

const NEXT = {
  'written-back': 'to start over: lectern daemon stop, and only then remove it',
  replaced: 'lectern state export shows what holds now',
} as const satisfies Record<StateRescue['kind'], string>;

function describe({ kind, copy }: StateRescue, path: string): string {
  if (kind === 'written-back') {
    return `${path} was removed while the daemon ran; what was decided was written back`;
  }
  const former = copy === null ? '' : `; what was decided before is in ${copy}`;
  return `${path} was replaced while the daemon ran; the new one holds${former}`;
}
