import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Old-space limit of the child in MB. It holds a vocabulary and single texts,
 * about 15 MB; the limit turns a leak into a crash, which is survived.
 */
const HEAP_MB = 96;

/**
 * Start the embedder: from the bundle beside this one in the built product,
 * from source through tsx otherwise. Messages are structured clones, so that
 * vectors cross as they are.
 */
export function startChild(moduleUrl: string = import.meta.url): ChildProcess {
  const isSource = moduleUrl.endsWith('.ts');
  const entry = fileURLToPath(new URL(isSource ? './main.ts' : './embedder.js', moduleUrl));
  const loader = isSource
    ? ['--import', pathToFileURL(createRequire(moduleUrl).resolve('tsx')).href]
    : [];
  return spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=1', ...loader, entry],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      // glibc keeps an arena per thread; two are enough for one session.
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
      windowsHide: true,
    },
  );
}
