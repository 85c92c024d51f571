import { ensureStateRoot, resolveStateRoot, statePaths } from '../src/protocol/link/state-paths.ts';
import { takeOwnerLock } from './owner-lock.ts';

/**
 * Entry of the daemon process.
 *
 *   daemon run               stays until told to end (login service, foreground)
 *   daemon run --on-demand   started by a client; leaves after 30 idle minutes
 *   daemon --stdio           one read-only session over stdin and stdout
 *
 * The lock comes before everything heavy: a daemon that loses the race has
 * loaded a database driver and nothing else.
 */
async function main(args: string[]): Promise<void> {
  process.umask(0o077);
  const paths = statePaths(resolveStateRoot());
  if (args.includes('--stdio')) {
    const { serveStdio } = await import('./serve.ts');
    return serveStdio(paths);
  }
  ensureStateRoot(paths.root);
  const lock = await takeOwnerLock(paths);
  if (lock === undefined) {
    process.stderr.write('lectern: another daemon owns this state root\n');
    return;
  }
  const { serveSocket } = await import('./serve.ts');
  await serveSocket(paths, lock, args.includes('--on-demand'));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isUsage = error instanceof Error && error.name === 'StateRootError';
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`lectern: the daemon did not start: ${message}\n`);
  // Exit codes of library contract 12: usage, or mcp_startup.
  process.exit(isUsage ? 2 : 60);
});
