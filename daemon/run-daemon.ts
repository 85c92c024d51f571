import { type Stats, statSync } from 'node:fs';
import { awaitBirth, lastBirthAt, noteBirth } from '../src/protocol/link/births.ts';
import { CONFINED_EXIT, OUT_OF_SIGHT_EXIT } from '../src/protocol/link/daemon-exit.ts';
import { hasLivingDaemon } from '../src/protocol/link/living-daemon.ts';
import {
  ensureStateRoot,
  resolveStateRoot,
  type StatePaths,
  statePaths,
} from '../src/protocol/link/state-paths.ts';
import { readArguments } from './arguments.ts';
import { bootEmbedder } from './embedder/boot-child.ts';
import { OutOfSightError, type OwnerLock, takeOwnerLock } from './owner-lock.ts';
import { checkStateWritable } from './writable-root.ts';

/** By the name of the error; exit codes of library contract 12, and those that clients know. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  StateRootError: 2,
  ConfinedError: CONFINED_EXIT,
  OutOfSightError: OUT_OF_SIGHT_EXIT,
};

/** What is loaded by the daemon that got the lock. */
export type Serve = Pick<typeof import('./serve.ts'), 'serveSocket' | 'serveStdio'>;

/**
 * How often a waiting service looks whether the daemon that owns the state root
 * has ended: one signal 0, so it may be often, and clients wait 3 s for a daemon
 * that they have ordered from a service manager.
 */
const LOOK_MS = 500;

/** EX_TEMPFAIL of sysexits: a failure, so that the service manager starts it again. */
const REPLACED_EXIT = 75;

/**
 * A client that orders the service has noted the birth, and waited for its turn,
 * this shortly before. Shorter than any pause of a service manager between a
 * death and its restart, which nobody has noted.
 */
const ORDER_MS = 3000;

/**
 * Run a daemon in this process; see `readArguments`. The lock comes before
 * everything heavy: a daemon that loses the race has loaded a database driver
 * and nothing else. The embedder, which takes longest, boots before the rest of
 * the daemon is loaded.
 */
export function runDaemon(args: string[], loadServe: () => Promise<Serve>): void {
  run(args, loadServe).catch((error: unknown) => {
    const name = error instanceof Error ? error.name : '';
    // 60: mcp_startup.
    fail(EXIT_CODES[name] ?? 60, error instanceof Error ? error.message : String(error));
  });
}

async function run(args: string[], loadServe: () => Promise<Serve>): Promise<void> {
  process.umask(0o077);
  const read = readArguments(args);
  if ('fault' in read) return fail(2, read.fault);
  // Set for what this process starts, too.
  if (read.stateRoot !== null) process.env['LECTERN_HOME'] = read.stateRoot;
  const paths = statePaths(resolveStateRoot());
  if (read.mode === 'stdio') return (await loadServe()).serveStdio(paths, read.because);
  ensureStateRoot(paths.root);
  checkStateWritable(paths.root);
  if (read.mode === 'service') await waitForTurn(paths);
  const lock = read.mode === 'service' ? await waitForOwnerLock(paths) : await takeOwnerLock(paths);
  if (lock === undefined) {
    process.stderr.write('lectern: another daemon owns this state root\n');
    return;
  }
  // Parts of it that are missing are told by whoever needs them: a daemon that ends can tell nobody.
  const embedder = await bootEmbedder({ dir: paths.models, isWritable: true }).catch(
    () => undefined,
  );
  const { serveSocket } = await loadServe();
  await serveSocket(paths, lock, read.mode === 'on-demand', embedder);
}

/**
 * For the login service: its manager restarts what dies at one pace, for ever or
 * for a few times. Here a daemon that dies again and again comes back ever more
 * slowly, as it does for clients.
 */
async function waitForTurn(paths: StatePaths): Promise<void> {
  const before = lastBirthAt(paths);
  if (before !== undefined && Date.now() - before < ORDER_MS) return;
  const isOrdered = () => {
    const last = lastBirthAt(paths);
    return last !== undefined && last !== before;
  };
  let isTold = false;
  await awaitBirth(paths, isOrdered, (why) => {
    if (!isTold) process.stderr.write(`lectern: ${why}\n`);
    isTold = true;
  });
  if (!isOrdered()) noteBirth(paths);
}

/**
 * For the login service: to exit would be to be restarted, over and over, while
 * another daemon lives. One that is upgraded meanwhile does exit, once: it has
 * loaded the beginning of the old version, and would load the rest of the new.
 */
async function waitForOwnerLock(paths: StatePaths): Promise<OwnerLock> {
  const entry = readEntry();
  for (let isTold = false; ; isTold = true) {
    // Once told, one look each time: whoever holds it may be out of sight for days, in a
    // container that shares the state root.
    const lock = await takeOwnerLock(paths, isTold ? 0 : undefined).catch(waitOutOfSight);
    if (lock !== undefined) return lock;
    if (!isTold) {
      process.stderr.write('lectern: another daemon owns this state root; waiting for its end\n');
    }
    do {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      if (isReplaced(entry)) {
        fail(REPLACED_EXIT, 'it was upgraded while it waited; its service manager starts it anew');
      }
    } while (hasLivingDaemon(paths));
  }
}

/** A service waits for the end of whoever it is. */
function waitOutOfSight(error: unknown): undefined {
  if (!(error instanceof OutOfSightError)) throw error;
}

function readEntry(): Stats | undefined {
  return statSync(process.argv[1] ?? '', { throwIfNoEntry: false });
}

/** Gone is not replaced: an installation is at it. */
function isReplaced(before: Stats | undefined): boolean {
  const now = readEntry();
  if (before === undefined || now === undefined) return false;
  return now.ino !== before.ino || now.mtimeMs !== before.mtimeMs || now.size !== before.size;
}

function fail(code: number, message: string): never {
  process.stderr.write(`lectern: the daemon did not start: ${message}\n`);
  process.exit(code);
}
