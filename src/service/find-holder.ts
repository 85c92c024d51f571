import { identifyStateRoot } from '../core/state-root-id.ts';
import { readAgentRoots } from './launchd.ts';
import type { ServiceRecipe } from './plan.ts';
import type { Service } from './plan-here.ts';
import { readServiceFile } from './read-service-file.ts';
import { tryCommand } from './run-command.ts';
import { readUnitRoots } from './systemd.ts';
import { readTaskRoots } from './task-scheduler.ts';

/** Whose the installed service of a name is. */
export type Holder = { is: 'nobody' } | { is: 'us' } | { is: 'other'; root: string };

const readRoots: Record<ServiceRecipe['platform'], (content: string) => string[]> = {
  systemd: readUnitRoots,
  launchd: readAgentRoots,
  'task-scheduler': readTaskRoots,
};

/**
 * Whose the service of our name is. Only the plain name can be another root's:
 * former versions gave it to every root.
 */
export async function findHolder({ stateRoot, recipe, plain }: Service): Promise<Holder> {
  const installed = await readInstalled(recipe);
  if (installed === undefined) return { is: 'nobody' };
  if (plain !== null) return { is: 'us' };
  const roots = readRoots[recipe.platform](installed);
  return roots.length === 0 || includesRoot(roots, stateRoot)
    ? { is: 'us' }
    : { is: 'other', root: roots[0]! };
}

/** The service of the plain name where a former version installed it for this root, which is not the default. */
export async function findFormer({ stateRoot, plain }: Service): Promise<ServiceRecipe | null> {
  const installed = plain === null ? undefined : await readInstalled(plain);
  if (plain === null || installed === undefined) return null;
  return includesRoot(readRoots[plain.platform](installed), stateRoot) ? plain : null;
}

/** What the service manager has under the name of a recipe; undefined when it has nothing. */
async function readInstalled(recipe: ServiceRecipe): Promise<string | undefined> {
  if (recipe.print === null) return readServiceFile(recipe);
  const { hasFailed, said } = await tryCommand(recipe.print);
  return hasFailed ? undefined : said;
}

function includesRoot(roots: string[], root: string): boolean {
  const id = identifyStateRoot(root);
  return roots.some((each) => identifyStateRoot(each) === id);
}
