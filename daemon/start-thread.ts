import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/**
 * Start a thread of the daemon: from the bundle beside this one in the built
 * product, from source through tsx otherwise.
 *
 * @param moduleUrl `import.meta.url` of the caller
 * @param bundled name of the bundle beside the daemon's
 * @param source relative to the caller
 */
export function startThread(
  moduleUrl: string,
  bundled: string,
  source: string,
  workerData: unknown,
): Worker {
  if (!moduleUrl.endsWith('.ts')) {
    return new Worker(new URL(bundled, moduleUrl), { workerData });
  }
  // `--import tsx` does not reach the entry of a worker on Node 20; registering inside it does.
  const tsx = createRequire(moduleUrl)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const entry = new URL(source, moduleUrl).href;
  const boot = `import(${JSON.stringify(tsx)}).then((tsx) => { tsx.register(); return import(${JSON.stringify(entry)}); })`;
  return new Worker(boot, { eval: true, execArgv: [], workerData });
}
