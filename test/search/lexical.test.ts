import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchLexical } from '../../src/search/lexical.ts';
import { MAX_QUERY_WORDS, readQueryWords } from '../../src/search/query-words.ts';
import { openSmallIndex, type SmallEntry } from './small-index.ts';

const orchard: SmallEntry[] = [
  { name: 'prune-tree', description: 'Cut back branches.', body: 'Winter is the time.' },
  { name: 'graft', description: 'Join a scion to a rootstock. A tree keeps its roots.' },
  { name: 'press', description: 'Make cider.', body: `${'filler '.repeat(900)} kubectl` },
  { name: 'csharp-lint', description: 'Lint C# and .NET code.' },
];

function search(query: string, allowed?: Set<number>, limit = 10) {
  const { db, hot, all } = openSmallIndex(orchard);
  const words = readQueryWords(query, hot.lexicon);
  const hits = searchLexical(db, hot.lexicon, words, allowed ?? all, limit);
  return hits.map(({ id }) => orchard[id - 1]!.name);
}

test('a word of the name weighs more than one of the description', () => {
  expect(search('tree')).toEqual(['prune-tree', 'graft']);
});

test('other forms of a word are found', () => {
  expect(search('pruning trees')[0]).toBe('prune-tree');
});

test('names with signs are found', () => {
  expect(search('C#')).toEqual(['csharp-lint']);
  expect(search('.net')).toEqual(['csharp-lint']);
});

test('a word deep in a long body still finds its entry', () => {
  expect(search('kubectl')).toEqual(['press']);
});

test('a filter is applied before the limit', () => {
  expect(search('tree', new Set([2]), 1)).toEqual(['graft']);
});

test('stop words alone are searched as words, not as everything', () => {
  expect(search('is the')).toEqual(['prune-tree']);
});

test('any query is safe, and the same query gives the same answer', () => {
  const { db, hot, all } = openSmallIndex(orchard);
  const run = (query: string) =>
    searchLexical(db, hot.lexicon, readQueryWords(query, hot.lexicon), all, 10);
  const hostile = [
    '"',
    '* OR',
    'NEAR(a b)',
    'name:tree',
    'a AND NOT',
    '\0',
    '😀',
    '-',
    "';--",
    '^x',
  ];
  for (const query of hostile) expect(() => run(query), query).not.toThrow();
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 4_096 }), (query) => {
      expect(run(query)).toEqual(run(query));
    }),
    { numRuns: 60 },
  );
});

test('a pasted log is searched by its rarest words', () => {
  const { hot } = openSmallIndex(orchard);
  const log = `${Array.from({ length: 300 }, (_, i) => `word${i}x`).join(' ')} tree`;
  const words = readQueryWords(log.slice(-4_096), hot.lexicon);
  expect(words.length).toBe(MAX_QUERY_WORDS);
});
