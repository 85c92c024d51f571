import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

/**
 * Entry of the built daemon. Its bundle is a function of its surroundings, run
 * from what V8 compiled of it when the product was built: that takes 0.1 s less
 * than compiling, and every cold start waits for it. Another version of V8
 * refuses the cache and compiles as always.
 */
const filename = join(__dirname, 'daemon.cjs');
const script = new Script(readFileSync(filename, 'latin1'), {
  filename,
  cachedData: readCache(join(__dirname, 'daemon.cache')),
});
script.runInThisContext()(
  createRequire(filename),
  filename,
  __dirname,
  pathToFileURL(filename).href,
);

function readCache(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
