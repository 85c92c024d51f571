import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toStore } from '../../src/top/store.ts';
import type { JsonObject } from '../../src/tui/data/value.ts';
import { nodeFiles } from '../../src/tui/files/node.ts';
import { createApp, loadDocument } from '../../src/tui/index.ts';

const folder = join(import.meta.dirname, '..', '..', 'samples', 'tui');

test.each(['deploy', 'tasks'])(
  'the sample %s has no diagnostics at any usual size',
  async (name) => {
    const loaded = await loadDocument(nodeFiles(folder), `${name}.tui`);
    const text = await readFile(join(folder, `${name}.json`), 'utf8');
    for (const cols of [40, 64, 80, 120, 200]) {
      for (const rows of [12, 18, 24, 30, 60]) {
        const data = toStore(JSON.parse(text)) as JsonObject;
        const app = createApp({ loaded, data, theme: null, strict: true, cols, rows });
        expect(app.draw().diagnostics, `${cols}×${rows}`).toEqual([]);
      }
    }
  },
);
