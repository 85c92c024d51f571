import { ChildProcess, spawn } from 'node:child_process';
import { type PartCode, readPart } from '../part-code.ts';

/**
 * Old-space limit of the child in MB. It holds a vocabulary and single texts,
 * about 15 MB; the limit turns a leak into a crash, which is survived.
 */
const HEAP_MB = 96;

export function readChildCode(moduleUrl: string = import.meta.url): PartCode {
  return readPart(moduleUrl, './embedder.cjs', './main.ts');
}

/**
 * Start the embedder. Its code comes through stdin; messages are structured
 * clones, so that vectors cross as they are. One that cannot be spawned tells so
 * by an `error` event, whatever it is that the machine has not enough of.
 */
export function startChild(code: PartCode): ChildProcess {
  const child = spawnChild();
  // Whoever uses it listens too; one that could not be spawned must not end the daemon before that.
  child.on('error', () => {});
  // A child that dies while it is given its code is noticed by its exit; where
  // descriptors have run out, there is no pipe to it.
  child.stdin?.on('error', () => {});
  child.stdin?.end(code.script);
  // One that hangs while Node itself starts, as it does where no thread can be had, heeds no end
  // of its channel; a daemon that ends at its birth would leave it behind for ever.
  if (child.pid !== undefined) {
    const endWithUs = () => child.kill('SIGKILL');
    process.once('exit', endWithUs);
    child.once('exit', () => process.off('exit', endWithUs));
  }
  return child;
}

function spawnChild(): ChildProcess {
  try {
    return spawn(
      process.execPath,
      [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=1', '-'],
      {
        stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
        serialization: 'advanced',
        // glibc keeps an arena per thread; two are enough for one session.
        env: { ...process.env, MALLOC_ARENA_MAX: '2' },
        windowsHide: true,
      },
    );
  } catch (error) {
    // Of most faults Node tells by an event, of some, such as ENOMEM, by throwing.
    const unborn = new ChildProcess();
    setImmediate(() => unborn.emit('error', error));
    return unborn;
  }
}
