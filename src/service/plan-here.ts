import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { identifyStateRoot } from '../core/state-root-id.ts';
import { daemonCommand } from '../protocol/link/daemon-command.ts';
import { resolveStateRoot, statePaths } from '../protocol/link/state-paths.ts';
import { chooseRecipe } from './choose.ts';
import type { ServicePlan, ServiceRecipe, Surroundings } from './plan.ts';

/** The login service of one state root. */
export interface Service {
  stateRoot: string;
  recipe: ServiceRecipe;
  /**
   * The default root's, by whose name former versions installed the service of
   * any root; null where this is the default root.
   */
  plain: ServiceRecipe | null;
}

/** What of a plan has nothing to do with the state root. */
export type Installation = Pick<ServicePlan, 'command' | 'account'>;

/**
 * The login service of a state root.
 *
 * @param root as LECTERN_HOME has it, or the default
 * @throws LecternError usage where there can be none
 */
export function planService(
  root: string,
  installation: Installation,
  around: Surroundings,
): Service {
  const id = identifyStateRoot(root);
  const isRootOf = (home: string) => id === identifyStateRoot(join(home, '.lectern'));
  const plan = (instance: string | null): ServiceRecipe =>
    chooseRecipe(
      {
        ...installation,
        stateRoot: root,
        instance,
        // By its very path: a link to the root is the same root, but no daemon uses a link.
        namesRoot: root !== join(around.loginHome, '.lectern'),
        output: statePaths(root).lastWords,
      },
      around,
    );
  const isDefault = isRootOf(around.home);
  return {
    stateRoot: root,
    recipe: plan(isDefault ? null : id),
    plain: isDefault ? null : plan(null),
  };
}

/**
 * The login service of this user, this installation and this platform.
 *
 * @throws StateRootError when LECTERN_HOME or HOME can be no root; what `planService` throws
 */
export function serviceHere(env: NodeJS.ProcessEnv = process.env): Service {
  const { LECTERN_HOME: _, ...withoutOverride } = env;
  const home = dirname(resolveStateRoot(withoutOverride));
  const login = readLogin();
  return planService(
    resolveStateRoot(env),
    { command: daemonCommand(), account: accountOf(env) },
    {
      platform: process.platform,
      home,
      loginHome: login?.homedir ?? home,
      configHome: env['XDG_CONFIG_HOME'],
      uid: process.getuid?.() ?? 0,
      isLingering: login !== undefined && existsSync(`/var/lib/systemd/linger/${login.username}`),
    },
  );
}

/** Undefined where the password database does not know this user, as in some containers. */
function readLogin(): { homedir: string; username: string } | undefined {
  try {
    return userInfo();
  } catch {
    return undefined;
  }
}

/** `DOMAIN\\user`; Windows sets both for every process of a session. */
function accountOf({ USERDOMAIN, USERNAME }: NodeJS.ProcessEnv): string | null {
  if (!USERNAME) return null;
  return USERDOMAIN ? `${USERDOMAIN}\\${USERNAME}` : USERNAME;
}
