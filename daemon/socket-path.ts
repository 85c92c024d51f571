import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identifyStateRoot } from '../src/core/state-root-id.ts';

/** `sun_path` holds 104 bytes with its NUL on macOS, 108 on Linux. */
const MOST_SOCKET_BYTES = 103;

/**
 * Where a daemon may listen, best first (design 4): the runtime directory, the
 * state root, a private directory below the temp directory. Directories that
 * are not ours alone, and names too long for a socket, are left out.
 *
 * @param nonce new for each birth, so that a late close never removes a successor's socket
 */
export function* socketPaths(
  root: string,
  nonce: string,
  env: NodeJS.ProcessEnv,
): Generator<string, void> {
  const hash = identifyStateRoot(root);
  if (process.platform === 'win32') {
    yield `\\\\.\\pipe\\lectern-${hash}-${nonce}`;
    return;
  }
  const name = `lectern-${hash}-${nonce}.sock`;
  const uid = process.getuid?.() ?? 0;
  const fits = (place: string) => Buffer.byteLength(join(place, name)) <= MOST_SOCKET_BYTES;
  const runtime = env['XDG_RUNTIME_DIR'];
  if (runtime !== undefined && runtime !== '' && isPrivate(runtime) && fits(runtime)) {
    yield join(runtime, name);
  }
  if (fits(root)) yield join(root, name);
  // TMPDIR may be as deep as the state root; /tmp is there for that.
  for (const temp of new Set([tmpdir(), '/tmp'])) {
    // Made only when it comes to it: most daemons never need it, and it would stay behind.
    const below = join(temp, `lectern-${uid}-${hash}`);
    if (fits(below) && makePrivate(below)) yield join(below, name);
  }
}

function makePrivate(directory: string): boolean {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  return isPrivate(directory);
}

/** A real directory, ours, closed to everybody else. */
function isPrivate(directory: string): boolean {
  try {
    const stat = lstatSync(directory);
    const uid = process.getuid?.() ?? stat.uid;
    return stat.isDirectory() && stat.uid === uid && (stat.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
