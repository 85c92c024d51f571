import { findFormer, findHolder } from './find-holder.ts';
import type { ServiceRecipe } from './plan.ts';
import type { Service } from './plan-here.ts';
import { readServiceFile } from './read-service-file.ts';
import { tryCommand } from './run-command.ts';

export interface ServiceState {
  platform: ServiceRecipe['platform'];
  /** What the service manager calls it. */
  name: string;
  file: string;
  installed: boolean;
  /** The file differs from what this version would write: `daemon install` renews it. */
  outdated: boolean;
  active: boolean;
}

/** What there is for this state root, and what its manager says; never throws, since `status` must always answer. */
export async function inspectService(service: Service): Promise<ServiceState> {
  const isInstalled = (await findHolder(service)).is === 'us';
  const former = isInstalled ? null : await findFormer(service);
  const recipe = former ?? service.recipe;
  const installed = isInstalled || former !== null;
  const isCurrent = isInstalled && (await readServiceFile(recipe)) === recipe.content;
  return {
    platform: recipe.platform,
    name: recipe.name,
    file: recipe.file,
    installed,
    outdated: installed && !isCurrent,
    active: installed && !(await tryCommand(recipe.query)).hasFailed,
  };
}
