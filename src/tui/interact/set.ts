import type { JsonValue } from '../data/value.ts';
import { quote } from '../diagnostics/quote.ts';
import { compactSortedJson } from '../json/print.ts';
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
  switch (path) {
    case '@focus': {
      const id = typeof value === 'string' ? value.replace(/^#/, '') : '';
      requestFocus(app, id, true);
      return null;
    }
    case '@screen': {
      const id = typeof value === 'string' ? value : '';
      const screen = app.document.screens.find((candidate) => candidate.id === id);
      if (!screen || id === '') return `tuimark: no screen with id ${quote(id)}`;
      switchScreen(app, screen);
      return null;
    }
    case '@theme':
      if (value !== 'dark' && value !== 'light' && value !== 'auto') {
        return `tuimark: @theme must be "dark", "light", or "auto" (got ${compactSortedJson(value)})`;
      }
      app.state.theme = value;
      return null;
    default:
      return writeStore(app, path, value);
  }
}
