import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

test.each(['README.md', 'docs/architecture.md'])(
  '%s says how much code an agent starts, to a fifth',
  (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const said = Number(/(\d+) kB of code/.exec(text)?.[1]) * 1000;
    const size = ['proxy.cjs', 'relay.cjs']
      .map((file) => statSync(join(root, 'dist', file)).size)
      .reduce((sum, bytes) => sum + bytes, 0);
    expect(size / said).toBeGreaterThan(0.8);
    expect(size / said).toBeLessThan(1.2);
  },
);
