import { join } from 'node:path';
import { daemonCommand } from '../protocol/link/daemon-command.ts';
import { resolveStateRoot, statePaths } from '../protocol/link/state-paths.ts';
import { chooseRecipe } from './choose.ts';
import type { ServiceRecipe } from './plan.ts';

/** `DOMAIN\\user`; Windows sets both for every process of a session. */
function accountOf({ USERDOMAIN, USERNAME }: NodeJS.ProcessEnv): string | null {
  if (!USERNAME) return null;
  return USERDOMAIN ? `${USERDOMAIN}\\${USERNAME}` : USERNAME;
}

/** The recipe for this user, this installation and this platform. */
export function recipeHere(env: NodeJS.ProcessEnv = process.env): {
  recipe: ServiceRecipe;
  stateRoot: string;
} {
  const stateRoot = resolveStateRoot(env);
  const { LECTERN_HOME: _, ...withoutOverride } = env;
  const isDefaultRoot = stateRoot === resolveStateRoot(withoutOverride);
  const command = daemonCommand();
  return {
    stateRoot,
    recipe: chooseRecipe(
      {
        node: process.execPath,
        entry: command.at(-1)!,
        stateRoot,
        isDefaultRoot,
        account: accountOf(env),
        output: join(statePaths(stateRoot).logs, 'daemon.out'),
      },
      process.platform,
      env,
      process.getuid?.() ?? 0,
    ),
  };
}
