import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFrontmatter, splitFrontmatter } from '../../src/catalog/frontmatter.ts';

function fieldOf(text: string, key: string): unknown {
  return parseFrontmatter(text).fields.get(key)?.value;
}

describe('splitting', () => {
  test('L-015 a byte order mark, trailing spaces, tabs and carriage returns do not matter', () => {
    const split = splitFrontmatter('\ufeff--- \t\r\nname: a\r\n---  \r\nbody\r\n');
    expect(split).toMatchObject({ frontmatter: 'name: a\r\n', body: 'body\r\n', defects: [] });
  });

  test('L-016 a body that starts with a blank line keeps it', () => {
    expect(splitFrontmatter('---\nname: a\n---\n\n\nbody').body).toBe('\n\nbody');
  });

  test('a later --- belongs to the body', () => {
    expect(splitFrontmatter('---\nname: a\n---\none\n---\ntwo').body).toBe('one\n---\ntwo');
  });

  test('an empty block means no fields', () => {
    const parsed = parseFrontmatter('---\n\n---\nbody');
    expect(parsed).toMatchObject({ frontmatter: '\n', body: 'body', defects: [] });
    expect(parsed.fields.size).toBe(0);
  });

  test('a text without block is all body', () => {
    expect(splitFrontmatter('# Title\n---\ntext')).toMatchObject({
      frontmatter: null,
      body: '# Title\n---\ntext',
      defects: [],
    });
  });

  test('four dashes open nothing', () => {
    expect(splitFrontmatter('----\nname: a\n---\nbody').frontmatter).toBeNull();
  });

  test('a missing closing line ends the block where YAML ends, and is reported', () => {
    const split = splitFrontmatter('---\nname: a\ndescription: b\n\n# Title\n\nText\n');
    expect(split).toMatchObject({
      frontmatter: 'name: a\ndescription: b\n',
      body: '\n# Title\n\nText\n',
      bodyLine: 4,
    });
    expect(split.defects).toMatchObject([
      { line: 4, message: expect.stringContaining('closing ---') },
    ]);
  });

  test('a rule in the body does not pass for the missing closing line', () => {
    const split = splitFrontmatter('---\nname: a\n\n# Title\n\nText here.\n\n---\n\nMore\n');
    expect(split.frontmatter).toBe('name: a\n');
    expect(split.body).toContain('Text here.');
  });

  test('a comment inside a closed block is a comment', () => {
    const split = splitFrontmatter('---\nname: a\n\n# about it\ndescription: b\n---\nbody');
    expect(split).toMatchObject({ body: 'body', defects: [] });
  });

  test('a missing opening line is made up for, and is reported', () => {
    const split = splitFrontmatter('name: a\ndescription: b\n---\nbody');
    expect(split).toMatchObject({ frontmatter: 'name: a\ndescription: b\n', body: 'body' });
    expect(split.defects[0]?.message).toContain('opening ---');
  });

  test('blank lines before the block are passed over, and reported', () => {
    const split = splitFrontmatter('\n\n---\nname: a\n---\nbody');
    expect(split).toMatchObject({ frontmatter: 'name: a\n', body: 'body', frontmatterLine: 4 });
    expect(split.defects).toHaveLength(1);
  });

  test('law: of a block by the rules, the body is what was put after it', () => {
    const line = fc.stringMatching(/^[a-z]{1,8}: [a-z ]{0,12}$/);
    fc.assert(
      fc.property(
        fc.array(line),
        fc.string(),
        fc.constantFrom('\n', '\r\n'),
        (lines, body, end) => {
          const block = lines.map((text) => text + end).join('');
          const split = splitFrontmatter(`---${end}${block}---${end}${body}`);
          expect(split).toMatchObject({ frontmatter: block, body, defects: [] });
        },
      ),
    );
  });

  test('law: a text comes apart without a character of its body changed', () => {
    const piece = fc.constantFrom(
      '---',
      'name: x',
      '# T',
      '',
      'text',
      '\t- a',
      'a: b: c',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('\n');
        expect(text.endsWith(splitFrontmatter(text).body)).toBe(true);
      }),
    );
  });
});

describe('fields', () => {
  test('a stray colon costs nothing but a warning with its line', () => {
    const parsed = parseFrontmatter(
      '---\nname: a\ndescription: Use when: the tree: leans\nmodel: x\n---\n',
    );
    expect(parsed.fields.get('description')?.value).toBe('Use when: the tree: leans');
    expect(parsed.fields.get('model')?.value).toBe('x');
    expect(parsed.defects).toMatchObject([
      {
        line: 3,
        message: expect.stringContaining('colon'),
        fix: expect.stringContaining('quotes'),
      },
    ]);
  });

  test('a stray colon in a value that goes on over lines keeps all of it', () => {
    const text = '---\nname: a\ndescription: Use when: one\n  and two\nthree\nlicense: MIT\n---\n';
    expect(fieldOf(text, 'description')).toBe('Use when: one and two three');
    expect(fieldOf(text, 'license')).toBe('MIT');
  });

  test('an indent that every line has does not matter, tabs or spaces, stray colons or not', () => {
    for (const indent of ['\t', '  ']) {
      const lines = ['name: sow', '', 'description: Sow: seeds', 'arguments:', '  - when'];
      const block = lines.map((line) => (line === '' ? '' : indent + line)).join('\n');
      const { fields } = parseFrontmatter(`---\n${block}\n---\n`);
      expect(fields.get('name')?.value).toBe('sow');
      expect(fields.get('description')).toMatchObject({ value: 'Sow: seeds', line: 4 });
    }
  });

  test('tabs as indentation are read as spaces', () => {
    const parsed = parseFrontmatter('---\nname: a\narguments:\n\t- one\n\t- two\n---\n');
    expect(parsed.fields.get('arguments')?.value).toEqual(['one', 'two']);
  });

  test('an unclosed quote is left out of the words', () => {
    expect(fieldOf('---\nname: a\ndescription: "Prune it\nother: b\n---\n', 'description')).toBe(
      'Prune it',
    );
  });

  test('block scalars keep their meaning', () => {
    expect(fieldOf('---\ndescription: >\n  one\n  two\n---\n', 'description')).toBe('one two\n');
  });

  test('the first of two equal keys counts, and that is said', () => {
    const parsed = parseFrontmatter('---\nname: a\nname: b\n---\n');
    expect(parsed.fields.get('name')?.value).toBe('a');
    expect(parsed.defects[0]).toMatchObject({ line: 3, message: expect.stringContaining('twice') });
  });

  test('an alias bomb is refused at its first alias', () => {
    const levels = Array.from(
      { length: 20 },
      (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(9)}*l${i}]`,
    );
    const parsed = parseFrontmatter(`---\nname: a\nl0: &l0 x\n${levels.join('\n')}\n---\n`);
    expect(parsed.fields.get('name')?.value).toBe('a');
    expect(typeof parsed.fields.get('l20')?.value).toBe('string');
    expect(parsed.defects.some((defect) => defect.message.includes('alias'))).toBe(true);
  });

  test('prototype keys stay ordinary keys', () => {
    const parsed = parseFrontmatter('---\n__proto__:\n  polluted: yes\nname: a\n---\n');
    expect(parsed.fields.get('name')?.value).toBe('a');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('nesting deeper than the stack leaves the other keys', () => {
    const parsed = parseFrontmatter(`---\nname: a\ndeep: ${'['.repeat(30_000)}\n---\n`);
    expect(parsed.fields.get('name')?.value).toBe('a');
  });

  test('a repeated broken key is told a bounded number of times', () => {
    const parsed = parseFrontmatter(`---\nname: a\n${'b: c: d\n'.repeat(1_000)}---\n`);
    expect(parsed.fields.get('name')?.value).toBe('a');
    expect(parsed.defects.length).toBeLessThanOrEqual(20);
  });

  test('a block beyond the bound of YAML is read line by line', () => {
    const parsed = parseFrontmatter(`---\nname: a\nnote: ${'x'.repeat(100_000)}\n---\nbody`);
    expect(parsed.fields.get('name')?.value).toBe('a');
    expect(parsed.defects[0]?.message).toContain('line by line');
  });

  test('a block that is no mapping at all is said to be none', () => {
    const parsed = parseFrontmatter('---\njust words\n---\nbody');
    expect(parsed.fields.size).toBe(0);
    expect(parsed.defects[0]?.message).toContain('key: value');
  });

  test('law: no text makes it throw', () => {
    const piece = fc.constantFrom(
      '---',
      '- ',
      ': ',
      '"',
      "'",
      '[',
      '{',
      '&a ',
      '*a',
      '|',
      '>',
      '\n',
      '\t',
      '#',
      'k',
      '!!',
      '\0',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        (pieces) => void parseFrontmatter(`---\n${pieces.join('')}\n---\n`),
      ),
    );
  });
});
