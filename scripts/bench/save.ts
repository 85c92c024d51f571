import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../../src/core/scope.ts';
import { explainQuery } from '../../src/protocol/admin/explain-query.ts';
import { getStatus } from '../../src/protocol/admin/get-status.ts';
import { writeCorpus } from './corpus.ts';
import { type Measurement, median, quantile } from './measure.ts';
import { openProduct, type Product, pause } from './product.ts';

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
  const { embedder } = await product.ask(getStatus, {});
  const hasModel = embedder.state === 'ok';
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
    if (hasModel) {
      while (!(await isEmbedded(product, word))) await pause(2);
    }
    if (hasModel) embedded.push(performance.now() - savedAt);
  }
  return [
    { what: 'save → search returns it, median', value: median(searchable), unit: 'ms', most: 300 },
    { what: 'save → search returns it, worst', value: quantile(searchable, 1), unit: 'ms' },
    ...(hasModel
      ? [
          {
            what: 'save → embedded, median',
            value: median(embedded),
            unit: 'ms' as const,
            most: 1000,
          },
          { what: 'save → embedded, worst', value: quantile(embedded, 1), unit: 'ms' as const },
        ]
      : []),
  ];
}

/** The entry has a vector of its own, not an estimate from its words. */
async function isEmbedded(product: Product, name: string): Promise<boolean> {
  const { results } = await product.ask(explainQuery, { text: name, top_k: 5 });
  return results.some((result) => result.name === name && result.similarity !== null);
}
