import { join } from 'node:path';
import type { Surroundings } from '../../src/service/plan.ts';
import { type Installation, planService, type Service } from '../../src/service/plan-here.ts';

export const PLATFORMS = ['linux', 'darwin', 'win32'] as const;

/** The service of a root on some platform; the default root's where none is given. */
export function planFor(
  platform: NodeJS.Platform,
  {
    home = '/home/ana',
    root = join(home, '.lectern'),
    command = [process.execPath, '/opt/lectern/dist/daemon/main.cjs'],
    account = null,
    ...around
  }: Partial<Surroundings & Installation> & { root?: string } = {},
): Service {
  return planService(
    root,
    { command, account },
    {
      platform,
      home,
      loginHome: home,
      configHome: undefined,
      uid: 501,
      isLingering: false,
      ...around,
    },
  );
}
