import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The environment in which `systemctl --user` finds the user's service manager.
 * Agent hosts start their servers with a handful of variables, `su` and cron
 * with fewer: without XDG_RUNTIME_DIR it would say that there is none.
 *
 * @param runtimes where systemd keeps the runtime directories of users
 */
export function reachUserManager(
  env: NodeJS.ProcessEnv,
  uid: number | undefined = process.getuid?.(),
  runtimes = '/run/user',
): NodeJS.ProcessEnv {
  if (env['XDG_RUNTIME_DIR'] || uid === undefined) return env;
  const directory = join(runtimes, String(uid));
  return existsSync(directory) ? { ...env, XDG_RUNTIME_DIR: directory } : env;
}
