import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { runDaemon, type Serve } from './run-daemon.ts';

/** Entry of the built daemon: small, because a daemon that loses the race for the lock loads no more. */
runDaemon(process.argv.slice(2), async () => loadCompiled(join(__dirname, 'daemon.cjs')));

/**
 * Load the daemon's bundle, a function of its surroundings, from what V8
 * compiled of it when the product was built: that takes 0.1 s less than
 * compiling, and every cold start waits for it. Another Node than the build's
 * finds nothing and compiles as always.
 */
function loadCompiled(filename: string): Serve {
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    cachedData: readCompiled(),
  });
  return script.runInThisContext()(
    createRequire(filename),
    filename,
    __dirname,
    pathToFileURL(filename).href,
  );
}

/** What this very Node compiled: see scripts/build/compiled-code.cjs. */
function readCompiled(): Buffer | undefined {
  try {
    const { version, platform, arch, execPath } = process;
    const node = `${version}-${platform}-${arch}-${statSync(execPath).size}`;
    return unseal(readFileSync(join(__dirname, `daemon-${node}.cache`)));
  } catch {
    return undefined;
  }
}

/** Compiled code that is whole: see scripts/build/compiled-code.cjs; undefined otherwise. */
function unseal(sealed: Buffer): Buffer | undefined {
  const end = sealed.length - 4;
  let sum = 1;
  for (let at = 0; at < end; at += 64) sum = (Math.imul(sum, 31) + sealed[at]!) | 0;
  return sealed.readInt32LE(end) === sum ? sealed.subarray(0, end) : undefined;
}
