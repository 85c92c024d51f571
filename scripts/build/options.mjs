// What all bundles of the product share.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { notePackages } from './third-party-licences.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A path in the repository. */
export const at = (...parts) => join(root, ...parts);

const { version: packageVersion } = JSON.parse(await readFile(at('package.json'), 'utf8'));

/** Native code cannot be bundled, and what is optional must be able to be absent. */
export const NATIVE = [
  'libsql',
  'onnxruntime-node',
  'onnxruntime-common',
  'hnswlib-node',
  'fastembed',
  '@anush008/tokenizers',
];

/** ES modules that share chunks. */
export const asModules = {
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
};

/** Bundled CommonJS packages expect what a module does not have. */
export const commonJsBanner = {
  js: [
    "import { createRequire as createBundleRequire } from 'node:module';",
    'const require = createBundleRequire(import.meta.url);',
    'const __filename = import.meta.filename;',
    'const __dirname = import.meta.dirname;',
  ].join('\n'),
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  legalComments: 'none',
  charset: 'utf8',
  // Its UMD build requires files by names that a bundler cannot follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
};

/** Zod brings its messages in fifty languages, which every start would read; ours are in one. */
const englishOnly = {
  name: 'english-only',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

function otherProtocol(protocol) {
  return {
    name: 'other-protocol',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\/protocol\/link\/hello\.ts$/ }, async ({ path }) => ({
        loader: 'ts',
        contents: (await readFile(path, 'utf8')).replace(/(PROTOCOL = )\d+/, `$1${protocol}`),
      })),
  };
}

/**
 * esbuild's options for every bundle of one product.
 *
 * @param options  see `buildProduct`
 * @param packages set that takes the packages that go into the bundles
 * @returns the version that the bundles tell, and the options
 */
export function stampOptions({ version = packageVersion, protocol }, packages) {
  const common = {
    ...shared,
    define: {
      __LECTERN_VERSION__: JSON.stringify(version),
      // Node 21 and Node 22 before 22.3 lack it, and every bundle has the other.
      'process.getBuiltinModule': 'require',
    },
    plugins: [
      notePackages(root, packages),
      englishOnly,
      ...(protocol === undefined ? [] : [otherProtocol(protocol)]),
    ],
  };
  return { version, common };
}
