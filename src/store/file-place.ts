import { statSync } from 'node:fs';

/**
 * Which file stands at a path; null when none does. Another file in its place
 * has another name here, however like it is; undefined when that cannot be told.
 */
export function findPlace(path: string): string | null | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? null : `${stat.dev} ${stat.ino}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? null : undefined;
  }
}
