import { stat } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { LecternError } from './errors.ts';

/**
 * Replace a file in one step: temp file, fsync, rename. An existing file keeps
 * its mode (library contract 1.1); a new one gets `mode`. A link is followed.
 *
 * @throws LecternError io (7) where something else than a file is; the file system's error
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  // A device or a pipe would be replaced by a file, for everyone who uses it.
  if (existing !== undefined && !existing.isFile()) {
    throw new LecternError('io', `cannot write ${path}: it is not a file`);
  }
  await writeFileAtomic(path, typeof content === 'string' ? content : Buffer.from(content), {
    mode: existing === undefined ? mode : existing.mode & 0o777,
    fsync: true,
  });
}
