import { LecternError } from '../core/errors.ts';
import { planLaunchd } from './launchd.ts';
import type { ServicePlan, ServiceRecipe, Surroundings } from './plan.ts';
import { planSystemd } from './systemd.ts';
import { planTaskScheduler } from './task-scheduler.ts';

/**
 * The recipe for the platform at hand.
 *
 * @throws LecternError usage where lectern knows no service manager, or a path cannot be written
 */
export function chooseRecipe(plan: ServicePlan, around: Surroundings): ServiceRecipe {
  switch (around.platform) {
    case 'linux':
      return planSystemd(plan, around);
    case 'darwin':
      return planLaunchd(plan, around);
    case 'win32':
      return planTaskScheduler(plan);
    default:
      throw new LecternError('usage', `there is no login service for ${around.platform} yet`, {
        next: 'lectern daemon start   (agents also start it when they need it)',
      });
  }
}
