import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { WritableFiles } from './types.ts';

/** Files of this machine, relative paths from `cwd`. An empty path is no file (U-009). */
export function nodeFiles(cwd: string): WritableFiles {
  return {
    cwd,
    readFile: async (path) => {
      if (path === '') throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return readFile(resolve(cwd, path));
    },
    writeFile: async (path, content) => {
      const target = resolve(cwd, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content, { mode: 0o644 });
    },
  };
}
