import type { Scope } from '../../src/core/scope.ts';
import { daemonStatus } from '../../src/protocol/admin/daemon-status.ts';
import { getStatus } from '../../src/protocol/admin/get-status.ts';
import { corpusFolders, makeSkill } from './corpus.ts';
import type { Measurement } from './measure.ts';
import { openProduct, pause } from './product.ts';

const ENTRIES = 951;
const LOOK_MS = 50;

/** Enrolling a corpus: until words find it, until descriptions and bodies are embedded. */
export async function measureIndex(scope: Scope): Promise<Measurement[]> {
  const folders = await corpusFolders(scope, ENTRIES);
  const product = await openProduct(scope);
  await product.cli('daemon', 'start');
  const agent = await product.agent();
  await product.ask(daemonStatus, {}); // the next status counts from here

  const startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) / 1000;
  await Promise.all(folders.map((folder) => product.cli('catalog', 'add', folder, '--enable')));
  const { result } = await agent.callTool('search_skills', { query: makeSkill(3).description });
  if ((result['matches'] as unknown[]).length === 0) throw new Error('nothing was found');
  const lexical = since();

  let descriptions: number | undefined;
  for (;;) {
    const { indexing } = await product.ask(getStatus, {});
    const stage = indexing?.stage ?? 'idle';
    if (stage !== 'descriptions' && stage !== 'reading') descriptions ??= since();
    if (stage === 'idle') break;
    await pause(LOOK_MS);
  }
  const bodies = since();
  const { loopDelayP99Ms } = await product.ask(daemonStatus, {});
  const { entries } = await product.ask(getStatus, {});
  const total = entries.skills + entries.commands + entries.agents;
  return [
    {
      what: `enrolling ${total} entries: first lexical answer`,
      value: lexical,
      unit: 's',
      most: 5,
    },
    { what: 'descriptions embedded', value: descriptions ?? bodies, unit: 's', most: 25 },
    { what: 'bodies embedded', value: bodies, unit: 's', most: 120 },
    {
      what: 'event loop delay of the daemon meanwhile, p99',
      value: loopDelayP99Ms,
      unit: 'ms',
      most: 20,
    },
  ];
}
