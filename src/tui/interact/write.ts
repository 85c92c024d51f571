import type { JsonValue } from '../data/value.ts';
import { setAt } from '../data/write.ts';
import type { App } from './app.ts';

/** Writes to the store; false when the path cannot be written (G-130). */
export function writePath(app: App, path: string, value: JsonValue): boolean {
  return writeStore(app, path, value) === null;
}

/** Writes to the store and says why it could not, else null. */
export function writeStore(app: App, path: string, value: JsonValue): string | null {
  const error = setAt(app.state.store, path, value);
  if (error === null) app.state.storeVersion++;
  return error;
}
