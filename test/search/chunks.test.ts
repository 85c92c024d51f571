import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHUNKS_PER_ENTRY, chunk, entryText, nameWords } from '../../src/search/chunks.ts';

test('the text of an entry is its name in words, its description, then when to use it', () => {
  expect(entryText('code-review', 'Reviews code.', null)).toBe('code review: Reviews code.');
  expect(entryText('sdk/linux_bot', 'A.', 'When B.')).toBe('sdk linux bot: A. When B.');
});

test('a body is cut at headings, each piece led by the name', () => {
  const section = (title: string): string => `## ${title}\n${'words '.repeat(120)}`;
  const chunks = chunk('code-review', [section('One'), section('Two')].join('\n'));
  expect(chunks).toHaveLength(2);
  expect(chunks[0]).toMatch(/^code review\. \s*## One/);
  expect(chunks[1]).toMatch(/^code review\. ## Two/);
});

test('short sections share a piece', () => {
  expect(chunk('a', '# A\nx\n# B\ny\n# C\nz')).toHaveLength(1);
});

test('a code block keeps its first 200 characters', () => {
  const [only] = chunk('a', `before\n\`\`\`sh\n${'x'.repeat(500)}\n\`\`\`\nafter`);
  expect(only).toContain('after');
  expect(only!.match(/x+/)![0]!.length).toBe(200 - '```sh\n'.length);
});

test('an empty body gives no chunk', () => {
  expect(chunk('a', '')).toEqual([]);
  expect(chunk('a', ' \n\n')).toEqual([]);
});

test('any body gives at most three pieces of at most 1,000 characters, and no half character', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('# H\n', 'word ', '😀'.repeat(300), '```', '\r\n', 'x'.repeat(950))),
      (parts) => {
        const pieces = chunk('a-b', parts.join(''));
        expect(pieces.length).toBeLessThanOrEqual(CHUNKS_PER_ENTRY);
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(1_000 + 'a b. '.length);
          expect(piece).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
        }
      },
    ),
  );
});

test('a name is read as words', () => {
  expect(nameWords('sdk/linux-bot_two')).toBe('sdk linux bot two');
});
