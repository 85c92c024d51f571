import type { ResultOf } from '../../src/protocol/admin/method.ts';
import type { verifyModels as method } from '../../src/protocol/admin/verify-models.ts';
import { DRIFT_FLOOR, measureDrift } from '../../src/search/embed/drift.ts';
import type { Embedder } from '../../src/search/embed/embedder.ts';
import { type ModelCache, rememberModel } from '../../src/search/embed/model-memory.ts';
import { bundledModelDir } from '../../src/search/embed/profile.ts';
import { findModelFault } from '../../src/search/embed/verify.ts';

/**
 * Hash the files of the bundled model again and embed the texts of its card.
 * A model that was mended since it failed is taken up by this; of one that is
 * damaged nothing is remembered, or the next start would trust its stamps.
 */
export async function verifyModels(
  embedder: Embedder,
  cache: ModelCache | null,
  directory: string = bundledModelDir(),
): Promise<ResultOf<typeof method>> {
  const { name, version } = embedder.profile;
  const fault = await findModelFault(directory, embedder.profile);
  if (fault !== null) {
    const nothing = { whole: new Set<string>(), prepared: null };
    if (cache?.isWritable === true) await rememberModel(cache, embedder.profile, nothing);
    const state = fault.kind === 'runtime' ? 'missing' : fault.kind;
    return { models: [{ name, version, directory, state, detail: fault.detail, drift: null }] };
  }
  embedder.wake();
  try {
    const { lowest, median } = await measureDrift(embedder, directory);
    const drift = { lowest, median, floor: DRIFT_FLOOR };
    return { models: [{ name, version, directory, state: 'ok', detail: null, drift }] };
  } catch (error) {
    const detail = `the files are whole, but the model does not run: ${(error as Error).message}`;
    return { models: [{ name, version, directory, state: 'missing', detail, drift: null }] };
  }
}
