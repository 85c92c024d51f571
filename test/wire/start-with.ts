import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LibraryBench } from './library-bench.ts';

/** Have every daemon of this bench born with a module loaded first. */
export function startDaemonsWith(bench: LibraryBench, module: string): void {
  mkdirSync(bench.paths.root, { recursive: true, mode: 0o700 });
  const entry = join(bench.product, 'dist/daemon/main.cjs');
  const start = [process.execPath, '--require', module, entry, 'run', '--on-demand'];
  // What an installed login service leaves: the command that starts it.
  writeFileSync(join(bench.paths.root, 'service.json'), JSON.stringify({ start }));
}
