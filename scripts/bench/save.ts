import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../../src/core/scope.ts';
import { getStatus } from '../../src/protocol/admin/get-status.ts';
import { writeCorpus } from './corpus.ts';
import { type Measurement, median, quantile } from './measure.ts';
import { openProduct, pause } from './product.ts';

const ENTRIES = 200;
const SAVES = 20;
/** Between saves, so that one save's indexing is not another's. */
const REST_MS = 400;
const GIVE_UP_MS = 10_000;

/** Saving an entry until search returns it, and until its text is embedded. */
export async function measureSave(scope: Scope): Promise<Measurement[]> {
  const product = await openProduct(scope);
  const root = await writeCorpus(scope, ENTRIES);
  await product.cli('catalog', 'add', root, '--enable');
  await product.waitIdle();
  const agent = await product.agent();
  const searchable: number[] = [];
  const embedded: number[] = [];
  for (let n = 0; n < SAVES; n += 1) {
    const word = `quibble${String.fromCharCode(97 + n)}zx`;
    const folder = join(root, 'plugin-000', 'skills', word);
    await mkdir(folder, { recursive: true });
    await pause(REST_MS);
    const savedAt = performance.now();
    await writeFile(
      join(folder, 'SKILL.md'),
      `---\nname: ${word}\ndescription: Straighten the ${word} of a loom before weaving.\n---\n\n# ${word}\n\nHold the ${word} still and turn it once.\n`,
    );
    for (;;) {
      const { result } = await agent.callTool('search_skills', { query: word });
      const names = (result['matches'] as { name: string }[]).map((match) => match.name);
      if (names.includes(word)) break;
      if (performance.now() - savedAt > GIVE_UP_MS) throw new Error(`${word} never appeared`);
    }
    searchable.push(performance.now() - savedAt);
    for (;;) {
      const { indexing } = await product.ask(getStatus, {});
      if (indexing === undefined || indexing.stage === 'idle') break;
      await pause(2);
    }
    embedded.push(performance.now() - savedAt);
  }
  return [
    { what: 'save → search returns it, median', value: median(searchable), unit: 'ms', most: 300 },
    { what: 'save → search returns it, worst', value: quantile(searchable, 1), unit: 'ms' },
    { what: 'save → embedded, median', value: median(embedded), unit: 'ms', most: 1000 },
    { what: 'save → embedded, worst', value: quantile(embedded, 1), unit: 'ms' },
  ];
}
