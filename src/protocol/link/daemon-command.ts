import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import flags from './daemon-flags.json' with { type: 'json' };

/**
 * What V8 may take in the daemon's process, from a file that the build reads
 * too: code compiled ahead is refused under other flags. A nursery of 4 MB a
 * half instead of 16 saves 25 to 30 MB under load and costs no processor time
 * that can be measured (2 MB costs a sixth). The limit of the old generation is five times
 * what 20,000 entries need; below 2 GB V8 lets garbage grow to twice what
 * lives before it collects, above to four times.
 */
export const DAEMON_FLAGS: readonly string[] = flags;

/**
 * The command line that runs the daemon's entry, from the built product or, in
 * a checkout, from source.
 *
 * `from` is the directory of the running module: bundles lie at different
 * depths, so the package is found by walking up to its own `bin/lectern.js`.
 */
export function daemonCommand(from: string = import.meta.dirname): string[] {
  for (let at = from; ; at = dirname(at)) {
    if (existsSync(join(at, 'bin', 'lectern.js'))) {
      const built = join(at, 'dist', 'daemon', 'main.cjs');
      const isSource = !from.startsWith(join(at, 'dist'));
      const source = join(at, 'daemon', 'main.ts');
      if (!isSource || !existsSync(source)) return [process.execPath, ...DAEMON_FLAGS, built];
      // Absolute: the daemon's working directory is its state root.
      const { createRequire } = process.getBuiltinModule('node:module');
      const tsx = createRequire(join(at, 'package.json')).resolve('tsx');
      return [process.execPath, ...DAEMON_FLAGS, '--import', `file://${tsx}`, source];
    }
    if (dirname(at) === at) throw new Error(`no lectern package around ${from}`);
  }
}
