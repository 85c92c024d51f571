import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Replace one of lectern's own files in the state root in one step, 0600. A link
 * in its place is replaced and never followed: where it led is not ours to
 * write. Not synced to the disk: for what a loss of power makes worthless.
 *
 * @throws the file system's error; nothing is left then
 */
export function replaceOwnFile(path: string, text: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    rmSync(aside, { force: true });
    writeFileSync(aside, text, { mode: 0o600, flag: 'wx' });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}
