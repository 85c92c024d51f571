import { join } from 'node:path';
import { daemonCommand } from '../protocol/link/daemon-command.ts';
import { resolveStateRoot, statePaths } from '../protocol/link/state-paths.ts';
import { chooseRecipe } from './choose.ts';
import type { ServiceRecipe } from './plan.ts';

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
        output: join(statePaths(stateRoot).logs, 'daemon.out'),
      },
      process.platform,
      env,
      process.getuid?.() ?? 0,
    ),
  };
}
