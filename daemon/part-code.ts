import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * The code of a thread or child of the daemon, as a script that runs anywhere.
 * It is read when the daemon starts and kept: whatever dies is started again
 * from it, even if the package was replaced meanwhile by one whose parts speak
 * another language than ours.
 */
export interface PartCode {
  readonly script: string;
  readonly isSource: boolean;
}

/** Parts that were read: a booting daemon and the part's client ask for the same. */
const known = new Map<string, PartCode>();

/**
 * Read a part, once: the bundle beside the running one in the built product, the
 * source through tsx otherwise.
 *
 * @param moduleUrl `import.meta.url` of the caller
 * @param bundled name of the bundle beside the daemon's
 * @param source relative to the caller
 */
export function readPart(moduleUrl: string, bundled: string, source: string): PartCode {
  if (moduleUrl.endsWith('.ts')) {
    return { script: bootFromSource(moduleUrl, source), isSource: true };
  }
  const url = new URL(bundled, moduleUrl);
  const file = fileURLToPath(url);
  const kept = known.get(file);
  if (kept !== undefined) return kept;
  // Native packages are found from where the bundle lay.
  const surroundings = [
    `require('node:module').createRequire(${JSON.stringify(file)})`,
    JSON.stringify(file),
    JSON.stringify(dirname(file)),
    JSON.stringify(url.href),
  ];
  // The bundle is a function of them: see scripts/build/daemon.mjs.
  const part: PartCode = {
    // The build writes nothing but ASCII into it.
    script: `${readFileSync(file, 'latin1')}(${surroundings.join(', ')})`,
    isSource: false,
  };
  known.set(file, part);
  return part;
}

/** `--import tsx` does not reach the entry of a worker on Node 20; registering inside it does. */
function bootFromSource(moduleUrl: string, source: string): string {
  const tsx = pathToFileURL(
    createRequire(moduleUrl)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs'),
  ).href;
  const entry = new URL(source, moduleUrl).href;
  return `import(${JSON.stringify(tsx)}).then((tsx) => { tsx.register(); return import(${JSON.stringify(entry)}); })`;
}

/**
 * Run a part as a thread.
 *
 * @param heapMb what its objects may take before it is ended; V8's own limit without
 */
export function startThread(code: PartCode, heapMb?: number): Worker {
  return new Worker(code.script, {
    eval: true,
    ...(heapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
    // The flags that load tsx into this thread are not for one that loads it by itself.
    ...(code.isSource ? { execArgv: [] } : {}),
  });
}
