import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { ORCHARD, openCli } from './run-cli.ts';
import { type Lectern, startLectern } from './start-lectern.ts';

let lectern: Lectern;
beforeAll(async () => {
  const cli = await openCli();
  const orchard = await cli.write('orchard', ORCHARD);
  lectern = await startLectern({ cli, catalogs: [orchard] });
  await eventually(async () => {
    expect((await lectern.call('search_skills', { query: 'tree' })).scoring).toBe('reranked');
  });
});
afterAll(async () => {
  await lectern.close();
  await lectern.cli.close();
});

const CONTROLS = String.fromCharCode(...Array.from({ length: 32 }, (_, i) => i), 127, 0x85, 0x9f);

for (const [what, query] of [
  ['one letter', 'p'],
  ['4,096 characters', 'prune '.repeat(682).padEnd(4_096, 'x')],
  ['emoji', '🌳✂️👨‍👩‍👧 prune'],
  ['nothing but emoji', '🌳🌳'],
  ['FTS5 operators', 'prune AND (tree OR NEAR("a b", 3)) NOT * ^ name:tree -x + "'],
  ['an unclosed quote', '"prune tree'],
  ['SQL', "prune'; DROP TABLE entries; --"],
  ['a NUL', 'prune\0tree'],
  ['all control characters', `prune${CONTROLS}tree`],
  ['half a surrogate pair', 'prune \ud83c tree'],
  ['directions', 'prune \u202etree\u2066'],
  ['punctuation alone', '?!… --- ()[]{}'],
  ['the model’s own marks', '[CLS] prune [SEP] [MASK] [PAD]'],
  ['another script', '木を剪定する'],
] as const) {
  test(`a query of ${what} is answered by the model and by words`, async () => {
    const answer = await lectern.call('search_skills', { query });
    expect(answer.scoring).toBe('reranked');
    expect(answer.degraded).toBeUndefined();
    expect(answer.corpus_size).toBe(4);
    if (/prune/.test(query)) expect(answer.matches[0].name).toBe('prune-tree');
  });
}

test('L-086 an empty or blank query is refused', async () => {
  for (const query of ['', ' \t\n'])
    await expect(lectern.call('search_skills', { query })).rejects.toThrow(/query/);
});

test('L-087 a query of 4,097 characters is refused', async () => {
  const query = 'p'.repeat(4_097);
  await expect(lectern.call('search_skills', { query })).rejects.toMatchObject({
    data: { code: 'query_too_long', max_chars: 4_096 },
  });
});
