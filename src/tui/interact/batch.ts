import { getAt } from '../data/scope.ts';
import { cloneValue, type JsonValue } from '../data/value.ts';
import { setAt } from '../data/write.ts';
import type { App } from './app.ts';
import { checkReserved, setPath } from './set.ts';

/** Queues one write; says why it can never be applied, else null. */
export type QueueWrite = (path: string, value: JsonValue) => string | null;

/**
 * Applies several writes, all or none (G-142). They are tried in order when queued, on a copy of the
 * store as the writes before left it; the caller draws once afterwards.
 *
 * @param build queues writes; may throw, which applies nothing
 * @returns every error in call order, the callback's own last; empty when all was applied
 */
export function applyBatch(app: App, build: (write: QueueWrite) => void): string[] {
  const trial = cloneValue(app.state.store);
  const writes: { path: string; value: JsonValue }[] = [];
  const errors: string[] = [];
  const write: QueueWrite = (path, value) => {
    const error = path.startsWith('@') ? checkReserved(app, path, value) : null;
    const failure = error ?? (isReserved(path) ? null : setAt(trial, path, cloneValue(value)));
    if (failure !== null) errors.push(failure);
    else writes.push({ path, value: cloneValue(value) });
    return failure;
  };
  try {
    build(write);
  } catch (problem) {
    const message = problem instanceof Error ? problem.message : String(problem);
    if (!errors.includes(message)) errors.push(message);
  }
  if (errors.length > 0) return errors;
  for (const { path, value } of writes) setPath(app, path, value);
  return [];
}

function isReserved(path: string): boolean {
  return path === '@focus' || path === '@screen' || path === '@theme';
}

/** A deep copy of a store value, undefined when the path does not resolve (G-141). */
export function getPath(app: App, path: string): JsonValue | undefined {
  const value = path === '' ? app.state.store : getAt(app.state.store, path.split('.'));
  return value === undefined ? undefined : cloneValue(value);
}
