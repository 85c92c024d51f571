import type { ServiceRecipe } from './plan.ts';

/**
 * What the services of lectern are called: the default root's by the plain name,
 * every other root's with the root's own behind it, so that one user can have
 * several. The one place that names them.
 *
 * @param instance `identifyStateRoot` of the root; null for the default root
 */
export function nameService(platform: ServiceRecipe['platform'], instance: string | null): string {
  switch (platform) {
    case 'systemd':
      return `lectern${instance === null ? '' : `-${instance}`}.service`;
    case 'launchd':
      return `dev.lectern.daemon${instance === null ? '' : `.${instance}`}`;
    case 'task-scheduler':
      return `lectern${instance === null ? '' : `-${instance}`}`;
  }
}
