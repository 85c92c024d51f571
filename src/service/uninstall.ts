import { lstat, rm } from 'node:fs/promises';
import { findFormer, findHolder } from './find-holder.ts';
import type { ServiceRecipe } from './plan.ts';
import type { Service } from './plan-here.ts';
import { readRecord, removeRecord } from './record.ts';
import { tryCommands } from './run-command.ts';

/**
 * Take the service of this state root away, a former version's too; another
 * root's is left alone.
 *
 * @returns the files of what was there
 */
export async function uninstallService(service: Service): Promise<string[]> {
  const { stateRoot, recipe } = service;
  const holder = await findHolder(service);
  const former = await findFormer(service);
  const record = await readRecord(stateRoot);
  // Clients would start it again while it ends.
  await removeRecord(stateRoot);
  const found: ServiceRecipe[] = [];
  // Its file may have been deleted by hand: the manager still runs it.
  const isOrphan = holder.is === 'nobody' && record?.start?.join('\n') === recipe.start.join('\n');
  if (holder.is === 'us' || isOrphan) found.push(recipe);
  if (former !== null) found.push(former);
  for (const each of found) await removeService(each);
  return found.map(({ file }) => file);
}

/** End a service and remove its file, and what a manager that cannot be reached leaves. */
export async function removeService(recipe: ServiceRecipe): Promise<void> {
  await tryCommands(recipe.uninstall);
  await rm(recipe.file, { force: true });
  for (const link of recipe.links) {
    const isLink = await lstat(link).then(
      (stat) => stat.isSymbolicLink(),
      () => false,
    );
    if (isLink) await rm(link, { force: true });
  }
  await tryCommands(recipe.afterRemoval);
}
