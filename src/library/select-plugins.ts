import { shellWord } from '../core/entry-id.ts';
import { LecternError } from '../core/errors.ts';
import { matchesGlob } from './glob.ts';
import { nearNames } from './near-names.ts';
import type { LibraryCatalog, ScopeView } from './scope-view.ts';

/** A plugin that a token named; whether it exists is checked when it is acted on. */
export interface PluginRef {
  catalog: string;
  plugin: string;
}

/** What a selection came to. */
export interface Selection {
  refs: PluginRef[];
  /** True when exactly one literal token was given: "already so" is then an error (library contract 3.5). */
  isOneLiteral: boolean;
  /** Tokens that name nothing; the others are still acted on. */
  failures: { subject: string; error: LecternError }[];
}

/** One path component: no `/`, no `*`, no control characters, no leading dot, not empty. */
export function isSafeSegment(text: string): boolean {
  // `*` would make a literal id of it impossible to write.
  return text !== '' && !text.startsWith('.') && !/[/\\*\p{Cc}]/u.test(text);
}

/**
 * The plugins that the tokens of a command line select (library contract 3.5).
 * Duplicates collapse, the first occurrence wins.
 *
 * @throws LecternError usage, plugin_not_found when a single token names nothing
 */
export function selectPlugins(
  view: ScopeView,
  tokens: readonly string[],
  catalog: string | null,
): Selection {
  const refs = new Map<string, PluginRef>();
  const failures: Selection['failures'] = [];
  for (const token of tokens) {
    try {
      for (const ref of selectOne(view, token, catalog)) {
        const id = `${ref.catalog}/${ref.plugin}`;
        if (!refs.has(id)) refs.set(id, ref);
      }
    } catch (error) {
      if (!(error instanceof LecternError) || tokens.length === 1) throw error;
      failures.push({ subject: token, error });
    }
  }
  const isOneLiteral = tokens.length === 1 && !tokens[0]!.includes('*');
  return { refs: [...refs.values()], isOneLiteral, failures };
}

/**
 * Part `<catalog>/<plugin>`.
 *
 * @throws LecternError usage (2)
 */
export function parsePluginId(id: string): PluginRef {
  const [catalog, plugin, ...rest] = id.split('/');
  if (
    catalog === undefined ||
    plugin === undefined ||
    rest.length > 0 ||
    !isSafeSegment(catalog) ||
    !isSafeSegment(plugin)
  ) {
    throw new LecternError('usage', `"${id}" is no plugin id: write <catalog>/<plugin>`, {
      next: 'lectern plugin list',
    });
  }
  return { catalog, plugin };
}

function selectOne(view: ScopeView, token: string, catalog: string | null): PluginRef[] {
  if (token.includes('*')) return selectGlob(view, token, catalog);
  if (token.includes('/')) return [parsePluginId(token)];
  if (catalog !== null) return [{ catalog, plugin: token }];
  const found = declared(view).filter((ref) => ref.plugin === token);
  if (found.length === 0) {
    const near = nearNames(
      token,
      declared(view).map((ref) => ({ ...ref, name: ref.plugin })),
    );
    const hint = near.map((ref) => `${ref.catalog}/${ref.plugin}`).join(', ');
    throw new LecternError(
      'plugin_not_found',
      `no enrolled catalog has a plugin "${token}"${hint === '' ? '' : `; did you mean ${hint}?`}`,
    );
  }
  if (found.length > 1) {
    const ids = found.map((ref) => `${ref.catalog}/${ref.plugin}`).join(', ');
    throw new LecternError('usage', `"${token}" is in several catalogs; name one of: ${ids}`, {
      next: `lectern plugin list --filter ${shellWord(token)}`,
    });
  }
  return found;
}

function selectGlob(view: ScopeView, token: string, catalog: string | null): PluginRef[] {
  const parts = token.split('/');
  if (parts.length > 2) {
    throw new LecternError('usage', `"${token}" has more than one slash`);
  }
  const [catalogGlob, pluginGlob] =
    parts.length === 2 ? [parts[0]!, parts[1]!] : [catalog ?? '*', token];
  const found = declared(view).filter(
    (ref) => matchesGlob(ref.catalog, catalogGlob) && matchesGlob(ref.plugin, pluginGlob),
  );
  if (found.length > 0) return found;
  throw new LecternError('usage', `"${token}" matches no plugin`, { next: 'lectern plugin list' });
}

/** Plugins that can be acted on: those of enrolled catalogs that lie in them. */
function declared(view: ScopeView): PluginRef[] {
  return view.catalogs
    .filter((catalog: LibraryCatalog) => catalog.enrolment !== null)
    .flatMap((catalog) =>
      catalog.plugins.map((plugin) => ({ catalog: catalog.name, plugin: plugin.name })),
    );
}
