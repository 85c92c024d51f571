import { LecternError } from '../src/core/errors.ts';
import { checkWorkspaceName } from '../src/library/resolve-scope.ts';
import type { Hello } from '../src/protocol/link/hello.ts';

/**
 * Refuse a session that asks, by its flag or environment, for a workspace that
 * can never be: nothing in its life will answer it. A name that is free today
 * is admitted, because `workspace init` may be a minute away; until then each
 * call says that there is no such workspace. Commands fail by their own check,
 * and the tui surface has no workspaces.
 *
 * @returns workspace_name_invalid, as calls would answer it (library contract 4.1, 9.2)
 */
export function refuseWorkspace(hello: Hello): LecternError | undefined {
  if (hello.role !== 'mcp' || hello.surface === 'tui') return undefined;
  // An empty variable is an unset one (L-070); an empty flag is a name that cannot be.
  const name = hello.workspace ?? (hello.env['LECTERN_WORKSPACE'] || null);
  if (name === null) return undefined;
  try {
    checkWorkspaceName(name);
    return undefined;
  } catch (error) {
    if (error instanceof LecternError) return error;
    throw error;
  }
}
