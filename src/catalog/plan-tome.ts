import { join } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { isInside, resolveReal } from './contain.ts';
import { MAX_MANIFEST_BYTES } from './limits.ts';
import { type Claims, claimStandard, type PluginPlan } from './plan.ts';
import { planClaudePlugin } from './plan-claude.ts';
import { createFolderPlan } from './plan-folders.ts';
import { readBoundedSync } from './read-bounded.ts';
import { QUARANTINED, type Reading } from './reading.ts';
import { scanTree, type TreeDir } from './scan-tree.ts';
import { parseTomeCatalog, parseTomePlugin, type TomeCatalog } from './tome-manifest.ts';

const CATALOG_FILE = 'tome-catalog.toml';
const PLUGIN_FILE = 'tome-plugin.toml';

/**
 * `tome-catalog.toml` of the root, or null where there is none.
 *
 * @throws LecternError manifest_invalid, or io when it may not be read (library contract 2.1)
 */
export function openTomeCatalog(reading: Reading): TomeCatalog | null {
  const path = join(reading.root, CATALOG_FILE);
  const real = resolveReal(path);
  if (real === undefined) return null;
  if (!isInside(reading.root, real)) {
    throw new LecternError(
      'manifest_invalid',
      `${path}: the manifest is a link out of the catalog`,
    );
  }
  if (reading.skipFiles.has(real)) {
    throw new LecternError('manifest_invalid', `${path}: ${QUARANTINED[0]}`);
  }
  const found = readBoundedSync(real, MAX_MANIFEST_BYTES);
  if ('refused' in found) {
    if (found.refused === 'missing') return null;
    throw new LecternError('io', `${path}: ${found.detail}`);
  }
  reading.onFile(real);
  return parseTomeCatalog(found.file.bytes, path, reading.root);
}

/** Plans of the plugins that a Tome catalog declares, in its order; nothing else is read. */
export async function planTomeCatalog(
  reading: Reading,
  catalog: TomeCatalog,
  claims: Claims,
): Promise<PluginPlan[]> {
  const plans: PluginPlan[] = [];
  for (const declared of catalog.plugins) {
    const dir = await scanTree(declared.root, reading);
    const plan = planDeclared(reading, dir, declared.name, claims);
    plans.push({ ...plan, source: declared.source });
  }
  return plans;
}

function planDeclared(reading: Reading, dir: TreeDir, name: string, claims: Claims): PluginPlan {
  if (dir.hasTomeManifest) return planTomePlugin(reading, dir, name, claims);
  const claude = planClaudePlugin(reading, dir, name, claims);
  // The catalog's own word for the plugin is its identity, whatever plugin.json says.
  if (claude !== null) return { ...claude, name };
  const plan = createFolderPlan(dir, name);
  claimStandard(plan, claims);
  return plan;
}

/**
 * Plan of a folder with `tome-plugin.toml`. A manifest that cannot be used
 * makes the plugin unusable: listed, its entries not loaded (L-011).
 *
 * @param name what the catalog calls it; null: as its manifest does
 */
export function planTomePlugin(
  reading: Reading,
  dir: TreeDir,
  name: string | null,
  claims: Claims,
): PluginPlan {
  const file = join(dir.real, PLUGIN_FILE);
  const plan: PluginPlan = {
    ...createFolderPlan(dir, name ?? (dir.name || 'plugin')),
    format: 'tome',
  };
  try {
    // The scan has seen to it that a link here leads to an allowed place.
    const real = resolveReal(file) ?? file;
    const found = readBoundedSync(real, MAX_MANIFEST_BYTES);
    if ('refused' in found || reading.skipFiles.has(real)) {
      const why = 'refused' in found ? found.detail : QUARANTINED[0];
      throw new LecternError('plugin_manifest_parse_error', `${file}: ${why}`);
    }
    reading.onFile(real);
    const { name: declared, ...about } = parseTomePlugin(found.file.bytes, file);
    plan.about = about;
    if (name === null) plan.name = declared;
    else if (name !== declared) {
      plan.problems.push({
        severity: 'warning',
        file,
        message: `the plugin calls itself "${declared}"; the catalog's name "${name}" counts`,
        fix: 'use one name in both files',
      });
    }
    claimStandard(plan, claims);
  } catch (error) {
    if (!(error instanceof LecternError)) throw error;
    plan.unusable = {
      severity: 'error',
      file,
      message: error.message,
      fix: 'correct the manifest',
    };
  }
  return plan;
}
