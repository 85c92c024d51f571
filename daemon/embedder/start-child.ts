import { type ChildProcess, spawn } from 'node:child_process';
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
 * clones, so that vectors cross as they are.
 */
export function startChild(code: PartCode): ChildProcess {
  const child = spawn(
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
  // Whoever uses it listens too; one that could not be spawned must not end the daemon before that.
  child.on('error', () => {});
  // A child that dies while it is given its code is noticed by its exit.
  child.stdin!.on('error', () => {});
  child.stdin!.end(code.script);
  return child;
}
