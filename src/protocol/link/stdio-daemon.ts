import { type Connection, type ConnectionEvents, openConnection } from './connection.ts';
import { daemonCommand } from './daemon-command.ts';
import type { Introduction } from './dial.ts';
import { pickSessionEnvironment } from './environment.ts';
import { PROTOCOL } from './hello.ts';
import type { StatePaths } from './state-paths.ts';

/** A whole read-only daemon boots behind this hello: opening an index takes up to some seconds. */
const BOOT_MS = 30_000;

/**
 * Without a socket: run `daemon --stdio` as a child of this process, a
 * read-only session on the existing index (design 3 G). It dies with us.
 *
 * @param because why there is no daemon, in words; absent where a person wants none
 * @throws HungUpError, SilentError
 */
export async function openStdioDaemon(
  paths: StatePaths,
  introduction: Introduction,
  events: ConnectionEvents,
  because?: string,
): Promise<Connection> {
  const { spawn } = await import('node:child_process');
  const [command, ...args] = daemonCommand();
  const why = because === undefined ? [] : ['--because', because];
  const child = spawn(command!, [...args, '--stdio', ...why], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...pickSessionEnvironment(process.env), LECTERN_HOME: paths.root },
    windowsHide: true,
  });
  child.on('error', () => {});
  const stream = {
    readable: child.stdout,
    writable: child.stdin,
    // Closing its stdin ends the child on its own; the signal is for one that hangs.
    destroy: () => {
      child.stdin.destroy();
      child.stdout.destroy();
      child.kill('SIGTERM');
    },
  };
  return openConnection(
    stream,
    { ...introduction, token: '', protocol: PROTOCOL },
    events,
    BOOT_MS,
  );
}
