import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Embedder } from './embedder.ts';

/** How near this machine's vectors are to those of the model card. */
export interface Drift {
  lowest: number;
  median: number;
  texts: number;
}

/**
 * Below this median cosine results suffer visibly: a processor that saturates
 * 8-bit products (x86 without VNNI) or a runtime with a fault.
 */
export const DRIFT_FLOOR = 0.98;

/**
 * Embed the texts of `test-vectors.json` and compare, for `doctor` and `models verify`.
 *
 * @throws EmbedderUnavailable; Error when the file is not there or not readable
 */
export async function measureDrift(embedder: Embedder, modelDir: string): Promise<Drift> {
  const { vectors } = JSON.parse(await readFile(join(modelDir, 'test-vectors.json'), 'utf8')) as {
    vectors: { text: string; embedding: number[] }[];
  };
  const cosines: number[] = [];
  for (const { text, embedding } of vectors) {
    const own = await embedder.embedQuery(text);
    cosines.push(own.reduce((sum, value, i) => sum + value * embedding[i]!, 0));
  }
  cosines.sort((a, b) => a - b);
  return {
    lowest: cosines[0] ?? 0,
    median: cosines[cosines.length >> 1] ?? 0,
    texts: cosines.length,
  };
}
