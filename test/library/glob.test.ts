import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesGlob } from '../../src/library/glob.ts';

test('a star is any run of characters, including none', () => {
  expect(matchesGlob('graft-plan', 'graft*')).toBe(true);
  expect(matchesGlob('graft', 'graft*')).toBe(true);
  expect(matchesGlob('graft-plan', '*plan')).toBe(true);
  expect(matchesGlob('graft-plan', 'g*-*n')).toBe(true);
  expect(matchesGlob('graft-plan', 'plan*')).toBe(false);
  expect(matchesGlob('aba', 'ab*ba')).toBe(false);
  expect(matchesGlob('a.c', 'a?c')).toBe(false);
});

test('a glob matches exactly what the regular expression of it matches', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
  const globs = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });
  fc.assert(
    fc.property(letters, globs, (text, glob) => {
      const pattern = new RegExp(`^${glob.replaceAll('*', '[^]*')}$`);
      expect(matchesGlob(text, glob)).toBe(pattern.test(text));
    }),
  );
});

test('a hostile glob does not take the process with it', () => {
  expect(matchesGlob('a'.repeat(10_000), `${'a*'.repeat(5_000)}b`)).toBe(false);
});
