import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file of a model, as it must be. */
export interface ModelFile {
  name: string;
  bytes: number;
  sha256: string;
}

/** A model that runs in the embedder. */
export interface ModelProfile {
  /** Names the vectors it makes: another id, other vectors. */
  id: string;
  name: string;
  version: string;
  /** Length of a vector. */
  dim: number;
  /** Tokens of one text, `[CLS]` and `[SEP]` included; the rest is cut. */
  maxTokens: number;
  weights: ModelFile;
  tokenizer: ModelFile;
}

/** The model that lectern carries (models/lectern-embed-1/README.md). */
export const BUNDLED_MODEL: ModelProfile = {
  id: 'lectern-embed-1',
  name: 'lectern-embed',
  version: '1',
  dim: 384,
  maxTokens: 512,
  weights: {
    name: 'model.onnx',
    bytes: 23_669_767,
    sha256: '4c837801bb614eac94856db9c1cac2c212a0189a5f5183a9284382740c9f7957',
  },
  tokenizer: {
    name: 'tokenizer.json',
    bytes: 527_292,
    sha256: '6681992d43e581b35b3dd61f3c81ee0f891fbf13ad54f8b692ea868bd46b066b',
  },
};

/**
 * Where the bundled model lies: `models/<id>` of the package that holds this
 * code, from source and from a bundle alike. The path is returned even when
 * nothing is there, so that the error can name it; it is looked for once.
 */
export function bundledModelDir(moduleUrl: string = import.meta.url): string {
  let dir = found.get(moduleUrl);
  if (dir === undefined) found.set(moduleUrl, (dir = findModelDir(moduleUrl)));
  return dir;
}

/** Once the package is uninstalled under a daemon, nothing tells any more where it was. */
const found = new Map<string, string>();

function findModelDir(moduleUrl: string): string {
  const from = dirname(fileURLToPath(moduleUrl));
  for (let dir = from; ; dir = dirname(dir)) {
    const models = join(dir, 'models', BUNDLED_MODEL.id);
    if (existsSync(models)) return models;
    if (existsSync(join(dir, 'package.json')) || dirname(dir) === dir) return models;
  }
}
