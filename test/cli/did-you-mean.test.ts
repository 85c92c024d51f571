import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { didYouMean, flagMeant } from '../../src/cli/did-you-mean.ts';
import { unknownCommand } from '../../src/cli/main.ts';
import { editDistance } from '../../src/core/edit-distance.ts';

const known = ['catalog add', 'catalog list', 'daemon start', 'query', 'status', 'doctor'];

test('distance is symmetric, zero only for equal words, and a swap is one edit', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
  expect(editDistance('qurey', 'query')).toBe(1);
});

test('a slip finds its command, another word finds none', () => {
  expect(didYouMean('qurey', known)).toBe('query');
  expect(didYouMean('catalog lsit', known)).toBe('catalog list');
  expect(didYouMean('banana', known)).toBeUndefined();
});

test('a mistyped command says what was probably meant and how to see its help', () => {
  const error = unknownCommand(['statsu'], known);
  expect(error.exitCode).toBe(2);
  expect(error.message).toContain('did you mean "status"');
  expect(error.next).toBe('lectern status --help');
});

test('a mistyped topic or follower is found too', () => {
  expect(unknownCommand(['catalgo', 'list'], known).message).toContain('"catalog list"');
  expect(unknownCommand(['catalog', 'ad'], known).message).toContain('"catalog add"');
  expect(unknownCommand(['xyzzy'], known).next).toBe('lectern help');
});

test('a flag by the name of another tool, or with a slip, is taken to the one that was meant', () => {
  const known = ['top-k', 'kind', 'json'];
  expect(flagMeant('--limit', known)).toBe('--top-k');
  expect(flagMeant('--limit=3', known)).toBe('--top-k');
  expect(flagMeant('--knid', known)).toBe('--kind');
  expect(flagMeant('--limit', ['kind'])).toBeUndefined();
  expect(flagMeant('--wholly-other', known)).toBeUndefined();
});
