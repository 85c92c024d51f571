import { describe, expect, test } from 'vitest';
import {
  type EntryFields,
  type EntryPlace,
  readEntryFields,
} from '../../src/catalog/entry-fields.ts';
import { parseFrontmatter } from '../../src/catalog/frontmatter.ts';

function fieldsOf(block: string, place: Partial<EntryPlace> = {}, body = 'Body.\n'): EntryFields {
  return readEntryFields(parseFrontmatter(`---\n${block}\n---\n${body}`), {
    kind: 'skill',
    format: 'tome',
    file: '/orchard/skills/graft/SKILL.md',
    fallbackName: 'graft',
    ...place,
  });
}

const FULL = 'name: graft\ndescription: Joins trees\n';

test('L-019 an unknown key is ignored', () => {
  const fields = fieldsOf(`${FULL}colour: green\nargument_hint: x`);
  expect(fields).toMatchObject({ name: 'graft', argumentHint: null, problems: [] });
});

test('L-020 a missing name is the folder or the stem, with a warning', () => {
  for (const kind of ['skill', 'command', 'agent'] as const) {
    const fields = fieldsOf('description: d', { kind });
    expect(fields.name).toBe('graft');
    expect(fields.problems).toMatchObject([{ severity: 'warning', fix: 'add name: graft' }]);
  }
});

test('a native command goes by its file, as its host has it, without a warning', () => {
  expect(fieldsOf('description: d', { kind: 'command', format: 'claude' }).problems).toEqual([]);
});

test('an empty name counts as missing', () => {
  expect(fieldsOf('name: "  "\ndescription: d').name).toBe('graft');
});

test('L-021 a missing description is the first 500 characters of the body, counted in characters', () => {
  const fields = fieldsOf('name: graft', {}, '𝛼'.repeat(600));
  expect([...fields.description]).toHaveLength(500);
  expect(fields.problems).toMatchObject([{ severity: 'warning' }]);
});

test('an agent without description takes the first line that says something', () => {
  expect(fieldsOf('name: a', { kind: 'agent' }, '\n\n  You prune. \nMore').description).toBe(
    'You prune.',
  );
  expect(fieldsOf('name: a', { kind: 'agent' }, '\n').description).toBe('');
});

test('description and when_to_use are trimmed; an empty when_to_use is none', () => {
  const fields = fieldsOf('name: a\ndescription: "  d  "\nwhen_to_use: " w "');
  expect(fields).toMatchObject({ description: 'd', whenToUse: 'w' });
  expect(fieldsOf(`${FULL}when_to_use: "  "`).whenToUse).toBeNull();
});

describe('arguments', () => {
  test.each([
    ['arguments: "a b"', ['a', 'b']],
    ['arguments: [a, b]', ['a', 'b']],
    ['arguments: [a, {name: b, description: d}]', ['a', 'b']],
    ['arguments: null', []],
  ])('L-022 %s', (line, names) => {
    const fields = fieldsOf(FULL + line);
    expect(fields.arguments.map(({ name }) => name)).toEqual(names);
    expect(fields.problems).toEqual([]);
  });

  test('L-022 a description of an argument is kept', () => {
    expect(fieldsOf(`${FULL}arguments: [{name: b, description: d}]`).arguments).toEqual([
      { name: 'b', description: 'd' },
    ]);
  });

  test('L-023 a mapping without name is dropped; an unknown mapping key is tolerated', () => {
    const fields = fieldsOf(`${FULL}arguments: [{description: d}, {name: b, colour: x}]`);
    expect(fields.arguments).toEqual([{ name: 'b' }]);
    expect(fields.problems).toEqual([]);
  });

  test('L-024 exactly 256 arguments parse; of 257 the first 256 are kept and that is said', () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`);
    expect(fieldsOf(`${FULL}arguments: ${names(256).join(' ')}`)).toMatchObject({ problems: [] });
    for (const written of [names(257).join(' '), `[${names(257).join(', ')}]`]) {
      const fields = fieldsOf(`${FULL}arguments: ${written}`);
      expect(fields.arguments).toHaveLength(256);
      expect(fields.problems).toMatchObject([{ line: 4, message: expect.stringContaining('257') }]);
    }
  });

  test('L-025 a bad argument name is left out and reported; the entry stays', () => {
    const fields = fieldsOf(`${FULL}arguments: [Bad-Name, good]`);
    expect(fields.arguments).toEqual([{ name: 'good' }]);
    expect(fields.problems).toMatchObject([
      { severity: 'warning', line: 4, message: expect.stringContaining('Bad-Name') },
    ]);
  });

  test('a name that would reach a prototype is left out', () => {
    expect(fieldsOf(`${FULL}arguments: [__proto__, ok]`).arguments).toEqual([{ name: 'ok' }]);
  });

  test('a type that declares nothing is reported', () => {
    const fields = fieldsOf(`${FULL}arguments: 7`);
    expect(fields).toMatchObject({ arguments: [], problems: [{ severity: 'warning' }] });
  });
});

test('L-026 disable-model-invocation takes an entry out of search and keeps it loaded', () => {
  expect(fieldsOf(`${FULL}disable-model-invocation: true`).searchable).toBe(false);
  expect(fieldsOf(FULL).searchable).toBe(true);
});

test('L-027 skills are not user-invocable by default, commands are, agents never', () => {
  expect(fieldsOf(FULL).userInvocable).toBe(false);
  expect(fieldsOf(FULL, { kind: 'command' }).userInvocable).toBe(true);
  expect(fieldsOf(`${FULL}user-invocable: true`).userInvocable).toBe(true);
  expect(fieldsOf(`${FULL}user-invocable: true`, { kind: 'agent' }).userInvocable).toBe(false);
});

test('a flag written as a word is understood and reported', () => {
  const fields = fieldsOf(`${FULL}user-invocable: "yes"`);
  expect(fields.userInvocable).toBe(true);
  expect(fields.problems).toMatchObject([{ line: 4 }]);
});

test('text of another type is read as text and reported', () => {
  const fields = fieldsOf('name: 2024\ndescription: [one, two]');
  expect(fields).toMatchObject({ name: '2024', description: 'one two' });
  expect(fields.problems).toHaveLength(2);
});

test('a hint in brackets is its own text', () => {
  expect(fieldsOf(`${FULL}argument-hint: [file] [line]`).argumentHint).toBe('[file] [line]');
  expect(fieldsOf(`${FULL}argument-hint: [file]`).argumentHint).toBe('[file]');
});

test('the hint in brackets is no problem: hosts document it so', () => {
  expect(fieldsOf(`${FULL}argument-hint: [file] [line]`).problems).toEqual([]);
});

test.each(['../up', 'a\\b', '.hidden', 'a//b', 'x'.repeat(300)])(
  'a name that cannot be part of an address falls back: %s',
  (name) => {
    const fields = fieldsOf(`name: '${name}'\ndescription: d`);
    expect(fields.name).toBe('graft');
    expect(fields.problems).toMatchObject([{ line: 2, severity: 'warning' }]);
  },
);

test('L-030 an agent name with a slash falls back to the stem, reported', () => {
  const fields = fieldsOf('name: a/b\ndescription: d', { kind: 'agent' });
  expect(fields).toMatchObject({
    name: 'graft',
    problems: [{ message: expect.stringContaining('slash') }],
  });
});

test('hidden characters leave name and description, and a body that holds them is reported', () => {
  const fields = fieldsOf('name: "gr\\u202eaft"\ndescription: "d\\u200b"', {}, 'line\nNUL \0 here');
  expect(fields).toMatchObject({ name: 'graft', description: 'd' });
  expect(fields.problems.map(({ line }) => line)).toEqual([2, 3, 6]);
});

test('a description without end is cut and reported', () => {
  const fields = fieldsOf(`name: a\ndescription: ${'x'.repeat(10_000)}`);
  expect(fields.description).toHaveLength(8_192);
  expect(fields.problems).toMatchObject([{ line: 3 }]);
});
