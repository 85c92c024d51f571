import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf, count, cut, cutMiddle, oneLine, pad, wrap } from '../../src/cli/text.ts';

test('catalog text cannot move the cursor, recolour or reverse what follows', () => {
  expect(oneLine('a\u001b[31mred\u0007\nline\u202eback\u200bzero')).toBe('a[31mred linebackzero');
});

test('every printable line is free of control and bidi characters, whatever comes in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(oneLine(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('columns count what is seen', () => {
  expect(columnsOf('\u001b[31mred\u001b[39m')).toBe(3);
  expect(columnsOf('日本')).toBe(4);
  expect(columnsOf('e\u0301')).toBe(1);
});

test('a cut text is never wider than asked and ends in …', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 30 }), (text, columns) => {
      const result = cut(oneLine(text), columns);
      expect(columnsOf(result)).toBeLessThanOrEqual(columns);
      if (result !== oneLine(text)) expect(result.endsWith('…')).toBe(true);
    }),
  );
});

test('pad fills up and never cuts', () => {
  expect(pad('ab', 4)).toBe('ab  ');
  expect(pad('abcde', 4)).toBe('abcde');
});

test('wrap loses no word and makes no line wider than asked, long words aside', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,12}$/)),
      fc.integer({ min: 12, max: 40 }),
      (words, columns) => {
        const lines = wrap(words.join(' '), columns);
        expect(lines.join(' ')).toBe(words.join(' '));
        for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
      },
    ),
  );
});

test('count speaks of one and of many', () => {
  expect([count(1, 'entry', 'entries'), count(0, 'plugin'), count(1200, 'plugin')]).toEqual([
    '1 entry',
    '0 plugins',
    '1,200 plugins',
  ]);
});

test('a text cut in its middle keeps both ends and never exceeds its columns', () => {
  expect(cutMiddle('/home/ana/skills/team', 13)).toBe('/hom…lls/team');
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 4, max: 40 }),
      (text, columns) => {
        const line = oneLine(text);
        const shown = cutMiddle(line, columns);
        expect(columnsOf(shown)).toBeLessThanOrEqual(columns);
        if (columnsOf(line) <= columns) expect(shown).toBe(line);
      },
    ),
  );
});
