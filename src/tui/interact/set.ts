import type { JsonValue } from '../data/value.ts';
import { quote } from '../diagnostics/quote.ts';
import { compactSortedJson } from '../json/print.ts';
import type { DocNode } from '../markup/types.ts';
import { switchScreen } from './actions.ts';
import type { App } from './app.ts';
import { requestFocus } from './focus-request.ts';
import { writeStore } from './write.ts';

/**
 * Writes state from the host (G-141, U-072): a store path, or `@focus`, `@screen`, `@theme`.
 *
 * @returns null, or the error text; nothing is changed then
 */
export function setPath(app: App, path: string, value: JsonValue): string | null {
  const refusal = checkReserved(app, path, value);
  if (refusal !== null) return refusal;
  switch (path) {
    case '@focus':
      requestFocus(app, typeof value === 'string' ? value.replace(/^#/, '') : '', true);
      return null;
    case '@screen':
      switchScreen(app, findScreen(app, value)!);
      return null;
    case '@theme':
      app.state.theme = value as 'dark' | 'light' | 'auto';
      return null;
    default:
      return writeStore(app, path, value);
  }
}

/** Why a reserved path cannot take a value, else null; `@focus` never fails. */
export function checkReserved(app: App, path: string, value: JsonValue): string | null {
  if (path === '@screen' && !findScreen(app, value)) {
    return `tuimark: no screen with id ${quote(typeof value === 'string' ? value : '')}`;
  }
  if (path === '@theme' && value !== 'dark' && value !== 'light' && value !== 'auto') {
    return `tuimark: @theme must be "dark", "light", or "auto" (got ${compactSortedJson(value)})`;
  }
  return null;
}

function findScreen(app: App, id: JsonValue): DocNode | undefined {
  return app.document.screens.find((screen) => screen.id !== null && screen.id === id);
}
