import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stem } from '../../src/search/stem.ts';
import { ftsText, tokenise } from '../../src/search/tokenise.ts';

test('an identifier gives its parts and itself joined', () => {
  expect(tokenise('storeToRefs')).toEqual(['stor', 'to', 'ref', 'storetorefs']);
  expect(tokenise('test_driven')).toEqual(['test', 'driven', 'testdriven']);
  expect(tokenise('parseHTTPHeader')).toContain('http');
  expect(tokenise('pre-commit')).toContain('precommit');
});

test('C++, C#, F# and .NET are words of their own', () => {
  expect(tokenise('C++')).toEqual(['cpp']);
  expect(tokenise('C#')).toEqual(['csharp']);
  expect(tokenise('F#')).toEqual(['fsharp']);
  expect(tokenise('.NET')).toEqual(['dotnet']);
  expect(tokenise('ASP.NET Core')).toEqual(['asp', 'dotnet', 'cor']);
  expect(tokenise('for (i++)')).toContain('i');
});

test('a version is found by itself and by its beginning', () => {
  expect(tokenise('v3.12.1')).toEqual(['3_12_1', '3_12', '3']);
  expect(tokenise('3.12')).toEqual(['3_12', '3']);
});

test('names in camel case that are one word are not taken apart', () => {
  expect(tokenise('JavaScript')).not.toContain('java');
  expect(tokenise('JavaScript')).toEqual(tokenise('javascript'));
});

test('shorthand and the long word are the same token', () => {
  expect(tokenise('k8s')).toEqual(tokenise('Kubernetes'));
  expect(tokenise('js')).toEqual(tokenise('JavaScript'));
  expect(tokenise('postgresql')).toEqual(tokenise('Postgres'));
});

test('accents, case and full width make no difference', () => {
  expect(tokenise('Naïve RÉSUMÉ')).toEqual(tokenise('naive resume'));
  expect(tokenise('ＡＰＩ')).toEqual(tokenise('api'));
});

test('scripts without spaces are cut into pairs', () => {
  expect(tokenise('日本語')).toEqual(['日本', '本語']);
});

test('inflections of a word meet in one stem', () => {
  for (const words of [
    ['generate', 'generates', 'generated', 'generating', 'generation', 'generator'],
    ['deploy', 'deploys', 'deployed', 'deployment', 'deploying'],
    ['query', 'queries'],
    ['running', 'runs', 'run'],
  ])
    expect(new Set(words.map(stem)).size, words.join()).toBe(1);
  expect(stem('docker')).not.toBe(stem('dock'));
});

test('every token of any text is letters, digits and _ only, and short', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const token of tokenise(text)) {
        expect(token).toMatch(/^[\p{L}\p{N}\p{M}_]+$/u);
        expect(token.length).toBeLessThanOrEqual(40);
      }
    }),
  );
});

test('a word gives the same tokens wherever it stands', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}[a-z]$/), (word) => {
      const alone = tokenise(word);
      expect(tokenise(`(${word}), "${word}"!`)).toEqual([...alone, ...alone]);
    }),
  );
});

test('a column of the index holds the tokens of the text in order', () => {
  expect(ftsText('Run unit tests')).toBe('run unit test');
});
