import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '..', '..', 'dist');

/** Each bundle with what V8 compiled of it, and how the product reads its text. */
const BUNDLES: [string, string, BufferEncoding][] = [
  ['proxy.cjs', 'proxy.cache', 'utf8'],
  ['daemon/daemon.cjs', 'daemon/daemon.cache', 'latin1'],
];

test.each(BUNDLES)(
  '%s was built with compiled code that this Node takes',
  (code, cache, encoding) => {
    expect(existsSync(join(DIST, cache)), `run \`npm run build\`: ${cache} is missing`).toBe(true);
    const script = new Script(readFileSync(join(DIST, code), encoding), {
      filename: join(DIST, code),
      cachedData: readFileSync(join(DIST, cache)),
    });
    expect(script.cachedDataRejected).toBe(false);
  },
);
