import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bundledModelDir } from '../../src/search/embed/profile.ts';
import { readWordPiece, wordPieceFrom } from '../../src/search/embed/wordpiece.ts';

const dir = bundledModelDir();
const wordPiece = readWordPiece(join(dir, 'tokenizer.json'));

test('the token ids of the model card are met exactly', () => {
  const { vectors } = JSON.parse(readFileSync(join(dir, 'test-vectors.json'), 'utf8')) as {
    vectors: { text: string; input_ids: number[] }[];
  };
  expect(vectors.length).toBeGreaterThan(0);
  for (const { text, input_ids } of vectors) expect(wordPiece.encode(text, 512)).toEqual(input_ids);
});

test('the native tokenizer gives the same ids', async () => {
  let native: { encode(text: string, pair: null): Promise<{ getIds(): number[] }> };
  try {
    const { Tokenizer } = createRequire(import.meta.url)('@anush008/tokenizers');
    native = Tokenizer.fromFile(join(dir, 'tokenizer.json'));
  } catch {
    console.warn('SKIPPED: @anush008/tokenizers is not installed, nothing to compare');
    return;
  }
  const pieces = [
    'Review',
    "don't",
    'C++',
    'naïve',
    '日本',
    'x'.repeat(120),
    '\t\r\n',
    '…—“”',
    'ﬁ',
    'İ',
    '$1,000',
    '🙂',
    '\u0000',
    'e\u0301',
    'ß',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 })), {
        maxLength: 12,
      }),
      async (parts) => {
        // Our own reading never takes a text for a special token.
        const text = parts.join(' ').replaceAll('[', '(');
        const expected = [...(await native.encode(text, null)).getIds()];
        fc.pre(expected.length <= 512);
        expect(wordPiece.encode(text, 512)).toEqual(expected);
      },
    ),
  );
});

test('a long text is cut to the limit and still ends with its mark', () => {
  const ids = wordPiece.encode('tree '.repeat(2_000), 512);
  expect(ids).toHaveLength(512);
  expect(ids.at(0)).toBe(101);
  expect(ids.at(-1)).toBe(102);
});

test('a mark written in a text stays text', () => {
  const ids = wordPiece.encode('a [SEP] b [CLS]', 512);
  expect(ids.filter((id) => id === 102)).toHaveLength(1);
  expect(ids.filter((id) => id === 101)).toHaveLength(1);
});

test('a file without a vocabulary is refused by name', () => {
  expect(() => wordPieceFrom('{}')).toThrow('[CLS]');
});

test('the vocabulary is what a JSON reader finds in the file', () => {
  const { model } = JSON.parse(readFileSync(join(dir, 'tokenizer.json'), 'utf8')) as {
    model: { vocab: Record<string, number> };
  };
  const tokens = Object.entries(model.vocab).filter(([token]) => /^[a-z0-9"\\]+$/.test(token));
  expect(tokens.length).toBeGreaterThan(20_000);
  for (const [token, id] of tokens) expect(wordPiece.encode(token, 512)).toEqual([101, id, 102]);
});

test('a tokenizer laid out over many lines, with escapes, is read alike', () => {
  const vocab = {
    '[CLS]': 1,
    '[SEP]': 2,
    '[UNK]': 3,
    '"': 4,
    '\\': 5,
    größe: 6,
    grosse: 7,
    '##s': 8,
  };
  const spread = wordPieceFrom(JSON.stringify({ model: { vocab } }, null, 2));
  expect(spread.encode('"grosse\\grosses', 16)).toEqual([1, 4, 7, 5, 7, 8, 2]);
});

test('a vocabulary that breaks off is refused', () => {
  expect(() => wordPieceFrom('{"model": {"vocab": {"[CLS]": 1, "[SE')).toThrow(SyntaxError);
  expect(() => wordPieceFrom('{"model": {"vocab": {"[CLS]": "one"}}}')).toThrow('[CLS]');
});

test('control and private-use characters go; one that Unicode has not assigned stays, unknown', () => {
  expect(wordPiece.encode('tr\u0000e\ue000e\u200b', 512)).toEqual(wordPiece.encode('tree', 512));
  expect(wordPiece.encode('tree \u{378}', 512)).toEqual([101, 3392, 100, 102]);
});
