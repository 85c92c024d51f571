import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHotIndex } from '../../src/search/hot-index.ts';
import { packWords, readWords, unpackWords } from '../../src/search/words.ts';
import { openSmallIndex } from './small-index.ts';

const text = fc
  .array(fc.stringMatching(/^[a-e]{1,3}$/), { maxLength: 60 })
  .map((words) => words.join(' '));
const bufferOf = (packed: Uint8Array): ArrayBuffer => Uint8Array.from(packed).buffer;

test('unpacking gives the words that were packed', () => {
  fc.assert(
    fc.property(text, text, fc.option(text), text, (name, description, whenToUse, body) => {
      const words = readWords({ name, description, whenToUse }, body);
      expect(unpackWords(bufferOf(packWords(words)))).toEqual(words);
    }),
  );
});

test('what another version packed, or nobody, is not read', () => {
  const packed = packWords(readWords({ name: 'a b', description: 'c', whenToUse: null }, 'd e'));
  const other = Uint8Array.from(packed);
  other[2]! ^= 1;
  for (const bytes of [other, packed.subarray(0, -1), new Uint8Array(0), new Uint8Array(40)])
    expect(unpackWords(bufferOf(bytes))).toBeUndefined();
});

test('an index whose words another version packed is loaded from its texts', () => {
  const { db, view } = openSmallIndex([{ name: 'prune', description: 'Cut back branches.' }]);
  db.exec('PRAGMA foreign_keys = OFF');
  db.run("INSERT INTO bodies (entry_id, body, terms) VALUES (1, 'In winter.', x'0100000001')");
  const hot = createHotIndex();
  for (const _ of hot.load(() => db, view));
  expect(hot.lexicon.wordsOf(1)).toEqual(
    readWords({ name: 'prune', description: 'Cut back branches.', whenToUse: null }, 'In winter.'),
  );
});
