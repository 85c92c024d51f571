import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAEMON_FLAGS } from '../../src/protocol/link/daemon-command.ts';

const DIST = join(import.meta.dirname, '..', '..', 'dist');

/** Each bundle with what V8 compiled of it, how the product reads its text, and the flags it runs with. */
const BUNDLES: [string, string, BufferEncoding, readonly string[]][] = [
  ['proxy.cjs', 'proxy.cache', 'utf8', []],
  ['daemon/daemon.cjs', 'daemon/daemon.cache', 'latin1', DAEMON_FLAGS],
];

const IS_REJECTED = `
  const { readFileSync } = require('node:fs');
  const [filename, cache, encoding] = process.argv.slice(1);
  const script = new (require('node:vm').Script)(readFileSync(filename, encoding), {
    filename,
    cachedData: readFileSync(cache),
  });
  process.stdout.write(String(script.cachedDataRejected));
`;

test.each(BUNDLES)(
  '%s was built with compiled code that this Node takes',
  (code, cache, encoding, flags) => {
    expect(existsSync(join(DIST, cache)), `run \`npm run build\`: ${cache} is missing`).toBe(true);
    const args = [...flags, '-e', IS_REJECTED, join(DIST, code), join(DIST, cache), encoding];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('false');
  },
);
