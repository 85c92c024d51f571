import { readFile, stat } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';

/**
 * Replace a file in one step: temp file, fsync, rename. An existing file keeps
 * its mode (library contract 1.1); a new one gets `mode`.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  await writeFileAtomic(path, typeof content === 'string' ? content : Buffer.from(content), {
    mode: existing === undefined ? mode : existing.mode & 0o777,
    fsync: true,
  });
}

/** Read a whole file unless it is larger than `maxBytes`; undefined when it does not exist. */
export async function readCapped(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  if (found.size > maxBytes) {
    throw Object.assign(new Error(`${path} is ${found.size} bytes; at most ${maxBytes} are read`), {
      code: 'EFBIG',
    });
  }
  return readFile(path);
}
