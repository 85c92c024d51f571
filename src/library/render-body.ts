import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ErrorCategory } from '../core/errors.ts';
import { LecternError } from '../core/errors.ts';
import { toRfc3339 } from '../core/rfc3339.ts';
import type { StatePaths } from '../protocol/link/state-paths.ts';
import { bindArguments } from './bind-arguments.ts';
import type { LibraryEntry } from './scope-view.ts';
import { type BuiltinName, mentionsBuiltin, substitute } from './substitute.ts';

/** Where and for whom a body is rendered. */
export interface RenderContext {
  workspace: string;
  /** The marker's project, canonical; null leaves `${LECTERN_PROJECT_DIR}` as it stands. */
  projectRoot: string | null;
  /** What a native plugin's `${CLAUDE_PROJECT_DIR}` means where there is no project; null leaves it as it stands. */
  cwd: string | null;
  env: Readonly<Record<string, string | undefined>>;
  paths: StatePaths;
  /** Unix ms. */
  now: number;
}

/**
 * Render a body for an entry (library contract 7): built-ins, environment and,
 * where the caller gave any, arguments. Makes the data directories that the
 * body mentions.
 *
 * @param supplied see `bindArguments`
 * @throws LecternError prompt_argument_mismatch, plugin_data_dir_write_failed,
 *   workspace_data_dir_write_failed
 */
export async function renderBody(
  body: string,
  entry: LibraryEntry,
  context: RenderContext,
  supplied?: string | Readonly<Record<string, unknown>>,
): Promise<string> {
  const isNative = entry.home.plugin.format !== 'tome';
  const bound = bindArguments(supplied, {
    declared: entry.entry.arguments.map((it) => it.name),
    native: isNative,
    body,
  });
  const inData = [safeComponent(entry.catalog), safeComponent(entry.plugin)];
  const pluginData = join(context.paths.pluginData, ...inData);
  const workspaceData = join(
    context.paths.workspaces,
    safeComponent(context.workspace),
    'plugin-data',
    ...inData,
  );
  const mentions = (name: BuiltinName) => mentionsBuiltin(body, name);
  if (mentions('PLUGIN_DATA') || (isNative && body.includes(CLAUDE_DATA))) {
    await makeDataDirectory(pluginData, 'plugin_data_dir_write_failed');
  }
  if (mentions('WORKSPACE_DATA')) {
    await makeDataDirectory(workspaceData, 'workspace_data_dir_write_failed');
  }
  const skillDir = dirname(entry.entry.file);
  const pluginDir = entry.home.plugin.root;
  const timestamp = toRfc3339(context.now);
  return substitute(body, {
    builtins: {
      SKILL_DIR: skillDir,
      SKILL_PATH: entry.entry.file,
      SKILL_NAME: entry.name,
      PLUGIN_DIR: pluginDir,
      PLUGIN_NAME: entry.plugin,
      PLUGIN_VERSION: entry.entry.pluginVersion ?? '',
      PLUGIN_DATA: pluginData,
      CATALOG_NAME: entry.catalog,
      PROJECT_DIR: context.projectRoot,
      WORKSPACE_NAME: context.workspace,
      WORKSPACE_DATA: workspaceData,
      DATE: timestamp.slice(0, 10),
      TIMESTAMP: timestamp,
    },
    claude: isNative
      ? {
          PLUGIN_ROOT: pluginDir,
          PLUGIN_DATA: pluginData,
          SKILL_DIR: skillDir,
          PROJECT_DIR: context.projectRoot ?? context.cwd,
        }
      : {},
    env: context.env,
    arguments: bound,
  });
}

const CLAUDE_DATA = '${' + 'CLAUDE_PLUGIN_DATA}';

/** Characters outside `[A-Za-z0-9._-]` become `_` (library contract 7.2); so do names made of dots only. */
export function safeComponent(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/gu, '_').replace(/^\.+$/, (dots) => '_'.repeat(dots.length));
}

async function makeDataDirectory(path: string, category: ErrorCategory): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw new LecternError(category, `cannot make the directory ${path}: ${code}`, {
      extras: { path },
      cause,
    });
  }
}
