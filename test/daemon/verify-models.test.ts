import { cpSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifyModels } from '../../daemon/embedder/verify-models.ts';
import { failUnlessWhole } from '../../src/cli/print/models.ts';
import type { Embedder } from '../../src/search/embed/embedder.ts';
import { EmbedderUnavailable } from '../../src/search/embed/embedder.ts';
import { recallModel, rememberModel } from '../../src/search/embed/model-memory.ts';
import { BUNDLED_MODEL, bundledModelDir } from '../../src/search/embed/profile.ts';
import { READY } from '../search/small-index.ts';

function copyOfModel(): string {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-model-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  cpSync(bundledModelDir(), dir, { recursive: true });
  return dir;
}

/** An embedder whose runtime is absent. */
const absent: Embedder = {
  profile: BUNDLED_MODEL,
  embedQuery: () => Promise.reject(new EmbedderUnavailable('onnxruntime-node is not installed')),
  embedTexts: () => Promise.reject(new EmbedderUnavailable('onnxruntime-node is not installed')),
  health: () => ({ ...READY, state: 'failed' }),
  wake: () => {},
};

test('a model that breaks off is corrupt, and the command fails with its category', async () => {
  const dir = copyOfModel();
  truncateSync(join(dir, 'model.onnx'), 1000);
  const { models } = await verifyModels(absent, null, dir);
  expect(models[0]).toMatchObject({ state: 'corrupt', drift: null });
  expect(() => failUnlessWhole(models)).toThrow(
    expect.objectContaining({ category: 'model_corrupt', exitCode: 31 }),
  );
});

test('whole files without a runtime are said to be whole and not to run', async () => {
  const { models } = await verifyModels(absent, null, copyOfModel());
  expect(models[0]).toMatchObject({ state: 'missing', drift: null });
  expect(models[0]!.detail).toMatch(/files are whole.*onnxruntime-node is not installed/);
  expect(() => failUnlessWhole(models)).toThrow(
    expect.objectContaining({ category: 'model_missing', exitCode: 30 }),
  );
});

test('of a model found damaged nothing is remembered', async () => {
  const dir = copyOfModel();
  const cache = { dir: join(dir, 'memory'), isWritable: true };
  const prepared = { name: 'graph', stamp: 'of graph' };
  await rememberModel(cache, BUNDLED_MODEL, { whole: new Set(['weights']), prepared });
  truncateSync(join(dir, 'model.onnx'), 1000);
  await verifyModels(absent, cache, dir);
  expect(await recallModel(cache, BUNDLED_MODEL)).toEqual({ whole: new Set(), prepared: null });
});
