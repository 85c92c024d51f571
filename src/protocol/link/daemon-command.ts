import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
      if (!isSource || !existsSync(source)) return [process.execPath, built];
      // Absolute: the daemon's working directory is its state root.
      const { createRequire } = process.getBuiltinModule('node:module');
      const tsx = createRequire(join(at, 'package.json')).resolve('tsx');
      return [process.execPath, '--import', `file://${tsx}`, source];
    }
    if (dirname(at) === at) throw new Error(`no lectern package around ${from}`);
  }
}
