import type { BigIntStats } from 'node:fs';

/**
 * What the file system says of a file: any write to it, or another file in its
 * place, makes another stamp. The time of change cannot be set back by a
 * program; two writes within one tick of the file system's clock can share it.
 */
export function stampOf(path: string, stats: BigIntStats): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return [dev, ino, size, mtimeNs, ctimeNs, path].join(' ');
}
