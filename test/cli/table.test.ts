import { expect, test } from 'vitest';
import { formatTable } from '../../src/cli/table.ts';
import { columnsOf } from '../../src/cli/text.ts';

const columns = [
  { title: 'NAME' },
  { title: 'N', align: 'right' as const },
  { title: 'ABOUT', shrinks: true as const },
];

test('no rows, no text', () => {
  expect(formatTable(columns, [], 80)).toBe('');
});

test('columns align under their titles, numbers to the right, without trailing spaces', () => {
  expect(
    formatTable(
      columns,
      [
        ['orchard', '5', 'Fruit'],
        ['g', '120', ''],
      ],
      80,
    ),
  ).toBe(['NAME       N  ABOUT', 'orchard    5  Fruit', 'g        120'].join('\n'));
});

test('the shrinking column gives way to the width, the others stay whole', () => {
  const text = formatTable(columns, [['a-long-catalog-name', '1', 'word '.repeat(30)]], 50);
  for (const line of text.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(50);
  expect(text).toContain('a-long-catalog-name');
  expect(text).toContain('…');
});

test('colour codes do not disturb the alignment', () => {
  const [, first, second] = formatTable(
    columns,
    [
      ['\u001b[36mab\u001b[39m', '1', 'x'],
      ['abcd', '1', 'x'],
    ],
    80,
  ).split('\n');
  expect(first!.replaceAll(/\u001b\[\d+m/g, '').indexOf('x')).toBe(second!.indexOf('x'));
});

test('two shrinking columns share what there is: ids are cut in their middle once the text is short', () => {
  const text = formatTable(
    [{ title: 'ID', shrinks: 'middle' }, { title: 'N' }, { title: 'ABOUT', shrinks: true }],
    [[`catalog/${'x'.repeat(60)}/end`, '1', 'word '.repeat(30).trim()]],
    60,
  );
  for (const line of text.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(60);
  expect(text).toMatch(/^catalog\S*…\S*\/end {2}1 {2}word word word word wor…$/m);
});
