import { LecternError, toLecternError } from '../core/errors.ts';
import type { EnrolmentRow } from '../store/state/enrolments.ts';
import { type Failure, toFailure } from './failure.ts';
import { findPlugin } from './find-plugin.ts';
import type { LibraryParts } from './parts.ts';
import { DEFAULT_TIER, type LibraryPlugin, type ScopeView } from './scope-view.ts';
import { type PluginRef, type Selection, selectPlugins } from './select-plugins.ts';

export interface PluginChange {
  plugin: string;
  status: 'enabled' | 'disabled';
  skills_indexed: number;
  skills_newly_embedded: number;
  duration_ms: number;
}

export interface PluginChanges {
  changed: PluginChange[];
  skipped: string[];
  failures: Failure[];
  dry_run?: boolean;
}

/** A plugin that can be switched, with its enrolment. */
interface Switchable {
  id: string;
  plugin: LibraryPlugin;
  enrolment: EnrolmentRow;
}

/**
 * Enable what the tokens select (library contract 3.6). Entries are indexed
 * with their catalog already, so enabling embeds nothing.
 *
 * @throws LecternError the single literal plugin's own failure; usage
 */
export function enablePlugins(
  parts: LibraryParts,
  view: ScopeView,
  tokens: readonly string[],
  catalog: string | null,
  tier: number | null,
): PluginChanges {
  if (tier !== null) checkTier(tier);
  return switchPlugins(view, tokens, catalog, true, (plugins) =>
    parts.state.enablement.enable(
      plugins.map(({ enrolment, plugin }) => ({
        catalogId: enrolment.id,
        plugin: plugin.name,
        tier: tier ?? DEFAULT_TIER,
      })),
    ),
  );
}

/**
 * Disable what the tokens select, in this workspace only (library contract 3.7).
 *
 * @throws LecternError the single literal plugin's own failure; usage
 */
export function disablePlugins(
  parts: LibraryParts,
  view: ScopeView,
  tokens: readonly string[],
  catalog: string | null,
  isDryRun: boolean,
): PluginChanges {
  const changes = switchPlugins(view, tokens, catalog, false, (plugins) => {
    if (isDryRun) return;
    parts.state.enablement.disable(
      plugins.map(({ enrolment, plugin }) => ({ catalogId: enrolment.id, plugin: plugin.name })),
    );
  });
  return isDryRun ? { ...changes, dry_run: true } : changes;
}

/** @throws LecternError usage (2) */
export function checkTier(tier: number): void {
  if (tier === 1 || tier === 2 || tier === 3) return;
  throw new LecternError('usage', `a tier is 1, 2 or 3, not ${tier}`);
}

/** Whether `plugin list` calls it enabled: the plugin as such, or an entry of it. */
export function isEnabled(plugin: LibraryPlugin): boolean {
  return plugin.isEnabled || plugin.entries.some((it) => it.isEnabled);
}

function switchPlugins(
  view: ScopeView,
  tokens: readonly string[],
  catalog: string | null,
  on: boolean,
  write: (plugins: Switchable[]) => void,
): PluginChanges {
  const startedAt = performance.now();
  const selection = selectPlugins(view, tokens, catalog);
  const failures = selection.failures.map((it) => toFailure(it.subject, it.error));
  const skipped: string[] = [];
  const switched: Switchable[] = [];
  for (const ref of selection.refs) {
    const id = `${ref.catalog}/${ref.plugin}`;
    try {
      const found = checkSwitchable(view, ref, id, on, selection);
      if (found === undefined) skipped.push(id);
      else switched.push(found);
    } catch (caught) {
      if (selection.isOneLiteral) throw caught;
      failures.push(toFailure(id, toLecternError(caught)));
    }
  }
  write(switched);
  const durationMs = Math.round(performance.now() - startedAt);
  return {
    changed: switched.map(({ id, plugin }) => ({
      plugin: id,
      status: on ? 'enabled' : 'disabled',
      skills_indexed: plugin.entries.length,
      skills_newly_embedded: 0,
      duration_ms: durationMs,
    })),
    skipped,
    failures,
  };
}

/** Undefined when it is in that state already and that is no error. */
function checkSwitchable(
  view: ScopeView,
  ref: PluginRef,
  id: string,
  on: boolean,
  selection: Selection,
): Switchable | undefined {
  const plugin = findPlugin(view, ref);
  const { enrolment } = plugin.home;
  if (enrolment === null) {
    throw new LecternError('usage', `"${id}" is the project's own and always enabled`);
  }
  const { unusable } = plugin.plugin;
  if (on && unusable !== null) {
    throw new LecternError('plugin_manifest_parse_error', `${unusable.file}: ${unusable.message}`);
  }
  const isAlready = on ? plugin.isEnabled : !isEnabled(plugin);
  if (!isAlready) return { id, plugin, enrolment };
  if (!selection.isOneLiteral) return undefined;
  throw new LecternError(
    'plugin_already_in_state',
    `"${id}" is ${on ? 'enabled' : 'disabled'} already in workspace "${view.workspace.name}"`,
  );
}
