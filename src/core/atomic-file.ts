import { stat } from 'node:fs/promises';
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
