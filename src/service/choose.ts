import { join } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { planLaunchd } from './launchd.ts';
import type { ServicePlan, ServiceRecipe } from './plan.ts';
import { planSystemd } from './systemd.ts';
import { planTaskScheduler } from './task-scheduler.ts';

/**
 * The recipe for the platform at hand.
 *
 * @throws LecternError usage where lectern knows no service manager
 */
export function chooseRecipe(
  plan: ServicePlan,
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  uid: number,
): ServiceRecipe {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  switch (platform) {
    case 'linux':
      return planSystemd(plan, env['XDG_CONFIG_HOME'] || join(home, '.config'));
    case 'darwin':
      return planLaunchd(plan, home, uid);
    case 'win32':
      return planTaskScheduler(plan);
    default:
      throw new LecternError('usage', `there is no login service for ${platform} yet`, {
        next: 'lectern daemon start   (agents also start it when they need it)',
      });
  }
}
