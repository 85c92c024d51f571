import { expect, test } from 'vitest';
import { rememberSearches } from '../../daemon/recent-searches.ts';

const search = (query: string) => ({
  at: 0,
  query,
  harness: null,
  workspace: 'global',
  ms: 1,
  matches: 0,
  best: null,
  scoring: 'lexical',
  relevance: null,
});

test('the last hundred searches are kept, newest first', () => {
  const searches = rememberSearches();
  for (let i = 1; i <= 130; i++) searches.add(search(`query ${i}`));
  const list = searches.list();
  expect(list).toHaveLength(100);
  expect(list.map((it) => it.query).slice(0, 2)).toEqual(['query 130', 'query 129']);
  expect(list.at(-1)).toMatchObject({ id: 31, query: 'query 31' });
});

test('of a long query only the beginning is kept', () => {
  const searches = rememberSearches();
  searches.add({ ...search('x'.repeat(4096)), best: 'y'.repeat(4096) });
  const [kept] = searches.list();
  expect(kept!.query).toHaveLength(200);
  expect(kept!.best).toHaveLength(200);
});
