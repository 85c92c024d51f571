import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '..', '..', 'dist');

// Sources call it, since modules have no `require`; the build puts that in its place.
test('no bundle calls what Node 21 and Node 22.2 lack', () => {
  const bundles = [
    'proxy.cjs',
    'relay.cjs',
    ...readdirSync(join(DIST, 'daemon')).map((it) => `daemon/${it}`),
  ];
  const modules = readdirSync(join(DIST, 'cli'), { recursive: true }).map((it) => `cli/${it}`);
  const calling = [...bundles, ...modules]
    .filter((file) => /\.c?js$/.test(file))
    .filter((file) =>
      readFileSync(join(DIST, file), 'latin1').includes('process.getBuiltinModule('),
    );
  expect(calling).toEqual([]);
});
