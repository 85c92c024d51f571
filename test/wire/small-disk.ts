import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Mount a tmpfs of `kilobytes` for the running test; false where that is not possible. */
export function mountSmallDisk(at: string, kilobytes: number): boolean {
  mkdirSync(at, { recursive: true });
  const options = `size=${kilobytes}k,mode=700`;
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at]);
  if (mounted.status !== 0) return false;
  onTestFinished(() => void spawnSync('umount', ['-l', at]));
  return true;
}

/** Write to `path` until nothing fits any more. */
export function fillDisk(path: string): void {
  for (const size of [4096, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
}
