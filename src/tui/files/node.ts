import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { WritableFiles } from './types.ts';

/** What the MCP surface reads through its proxy at most; a document of megabytes is a made-up one. */
const MAX_BYTES = 64 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;

/** Files of this machine, relative paths from `cwd`. An empty path is no file (U-009). */
export function nodeFiles(cwd: string): WritableFiles {
  return {
    cwd,
    readFile: async (path) => {
      if (path === '') throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return readBounded(resolve(cwd, path));
    },
    writeFile: async (path, content) => {
      const target = resolve(cwd, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content, { mode: 0o644 });
    },
  };
}

/** A whole file, pipe or device, in chunks: `src="/dev/zero"` in a document must not fill the memory. */
async function readBounded(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return Buffer.concat(chunks, total);
      total += bytesRead;
      if (total > MAX_BYTES) throw Object.assign(new Error('file too large'), { code: 'EFBIG' });
      chunks.push(chunk.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
