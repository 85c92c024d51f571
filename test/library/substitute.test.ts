// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tokens under test are written so
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bindArguments, splitLine } from '../../src/library/bind-arguments.ts';
import {
  BUILTIN_NAMES,
  type BuiltinName,
  type Substitutions,
  substitute,
} from '../../src/library/substitute.ts';

const BUILTINS = Object.fromEntries(
  BUILTIN_NAMES.map((name) => [name, `<${name.toLowerCase()}>`]),
) as Record<BuiltinName, string>;

function render(body: string, changes: Partial<Substitutions> = {}): string {
  return substitute(body, {
    builtins: BUILTINS,
    claude: {},
    env: {},
    arguments: null,
    ...changes,
  });
}

function renderWith(
  body: string,
  supplied: Parameters<typeof bindArguments>[0],
  declared: string[] = [],
  native = false,
): string {
  return render(body, { arguments: bindArguments(supplied, { declared, native, body }) });
}

test('L-150 every built-in renders its value under both brands', () => {
  for (const name of BUILTIN_NAMES) {
    expect(render(`a \${TOME_${name}} \${LECTERN_${name}}`)).toBe(
      `a ${BUILTINS[name]} ${BUILTINS[name]}`,
    );
  }
});

test('L-150 an unknown built-in stays as it stands, default included', () => {
  for (const body of ['${TOME_X}', '${TOME_X:-d}', '${LECTERN_NOPE}', '${TOME_constructor}']) {
    expect(render(body)).toBe(body);
  }
});

test('L-151 a default on a known built-in is ignored', () => {
  expect(render('${TOME_SKILL_NAME:-other}')).toBe('<skill_name>');
});

test('L-152 the project directory stays verbatim without a project', () => {
  const builtins = { ...BUILTINS, PROJECT_DIR: null };
  expect(render('${TOME_PROJECT_DIR}/x', { builtins })).toBe('${TOME_PROJECT_DIR}/x');
});

test('L-153 an environment token takes the variable, else the default, else nothing', () => {
  const env = { TOME_ENV_SET: 'value', TOME_ENV_EMPTY: '', SET: 'other' };
  expect(render('[${TOME_ENV_SET:-d}]', { env })).toBe('[value]');
  expect(render('[${TOME_ENV_EMPTY:-d}]', { env })).toBe('[]');
  expect(render('[${TOME_ENV_UNSET:-a b$c}]', { env })).toBe('[a b$c]');
  expect(render('[${TOME_ENV_UNSET}]', { env })).toBe('[]');
});

test('L-153 no other part of the environment can be read', () => {
  const env = { SECRET: 's', TOME_SECRET: 's', LECTERN_TOKEN: 's' };
  expect(render('${TOME_ENV_SECRET}${SECRET}${TOME_SECRET}${LECTERN_TOKEN}', { env })).toBe(
    '${SECRET}${TOME_SECRET}${LECTERN_TOKEN}',
  );
});

test('a default does not span lines', () => {
  expect(render('${TOME_ENV_X:-a\nb}')).toBe('${TOME_ENV_X:-a\nb}');
});

test('L-154 foreign references pass through', () => {
  const body = '${GITHUB_TOKEN} ${CLAUDE_PLUGIN_ROOT} $HOME $PATH ${HOME}';
  expect(render(body)).toBe(body);
});

test('in native plugins the plugin root of Claude resolves, and what is unknown stays', () => {
  const claude = { PLUGIN_ROOT: '/p', PROJECT_DIR: null };
  expect(
    render('${CLAUDE_PLUGIN_ROOT}/x ${CLAUDE_PROJECT_DIR} ${CLAUDE_SESSION_ID}', { claude }),
  ).toBe('/p/x ${CLAUDE_PROJECT_DIR} ${CLAUDE_SESSION_ID}');
});

test('L-155 replacement text is never substituted again', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('${TOME_SKILL_NAME}', '$ARGUMENTS', '$0', '$name', '${TOME_ENV_A}'),
      fc.constantFrom('${TOME_SKILL_NAME}', '$ARGUMENTS', '$0', '$name', '${TOME_ENV_A:-x}', '$&'),
      (token, hostile) => {
        const rendered = substitute(`<${token}>`, {
          builtins: { ...BUILTINS, SKILL_NAME: hostile },
          claude: {},
          env: { TOME_ENV_A: hostile },
          arguments: bindArguments(
            { name: hostile },
            { declared: ['name'], native: false, body: '' },
          ),
        });
        expect(rendered.startsWith(`<${hostile}>`)).toBe(true);
      },
    ),
  );
});

test('L-155 a body without tokens renders to itself, whatever else it holds', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '{', '}', '_', ' ', '\n', 'A', ':', '-') }),
      (body) => {
        expect(render(body)).toBe(body);
      },
    ),
  );
});

test('rendering twice with the same input gives the same output', () => {
  const body = 'a ${TOME_DATE} $0 $ARGUMENTS';
  expect(renderWith(body, 'x')).toBe(renderWith(body, 'x'));
});

test('L-158 positionals count from zero, and out of range is empty', () => {
  expect(renderWith('[$0][$1][$ARGUMENTS[1]][$ARGUMENTS[9]]', 'one two', ['a', 'b'])).toBe(
    '[one][two][two][]',
  );
});

test('native commands count from one', () => {
  expect(renderWith('[$1][$2][$3]', { args: 'one "two words"' }, [], true)).toBe(
    '[one][two words][]',
  );
});

test('native commands that use $0 count from zero', () => {
  expect(renderWith('[$0][$1]', { args: 'one two' }, [], true)).toBe('[one][two]');
});

test('native commands keep words that only look like arguments', () => {
  expect(renderWith('echo $file and $1', { args: 'x' }, [], true)).toBe('echo $file and x');
});

test('L-159 one string is kept whole where nothing is declared', () => {
  expect(renderWith('[$0][$1]', { args: 'a  "b c"' })).toBe('[a  "b c"][]');
});

test('L-159 one string is split like a shell line for declared arguments', () => {
  expect(renderWith('[$first][$second]', `"a b" c'd e'`, ['first', 'second'])).toBe('[a b][cd e]');
  expect(renderWith('[$first][$second]', '"open end', ['first', 'second'])).toBe('[open end][]');
});

test('splitting and joining quoted words gives the words back', () => {
  const word = fc.string().filter((it) => !it.includes('"'));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(splitLine(words.map((it) => `"${it}"`).join(' '))).toEqual(words);
    }),
  );
});

test('L-160 an undeclared key is a mismatch with the right counts', () => {
  expect(() => renderWith('x', { a: '1', z: '2' }, ['a'])).toThrowError(
    expect.objectContaining({
      category: 'prompt_argument_mismatch',
      details: expect.objectContaining({ extras: { expected: 1, supplied: 2 } }),
    }),
  );
});

test('L-160 without declarations only args is taken', () => {
  expect(() => renderWith('x', { other: '1' })).toThrowError(
    expect.objectContaining({
      details: expect.objectContaining({ extras: { expected: 0, supplied: 1 } }),
    }),
  );
});

test('L-161 arguments that no token took are appended after one blank line', () => {
  expect(renderWith('Body', { args: 'x y' })).toBe('Body\n\nARGUMENTS: x y');
  expect(renderWith('Body\n', { args: 'x y' })).toBe('Body\n\nARGUMENTS: x y');
  expect(renderWith('Body\n', { a: '1', b: '2' }, ['a', 'b'])).toBe('Body\n\nARGUMENTS: 1 2');
});

test('L-161 a body with any matched token gets no appendix', () => {
  expect(renderWith('Do $0', { args: 'x' })).toBe('Do x');
  expect(renderWith('Do $unknown', { args: 'x' })).toBe('Do ');
});

test('L-161 built-ins do not count as taking the arguments', () => {
  expect(renderWith('${TOME_SKILL_NAME}', { args: 'x' })).toBe('<skill_name>\n\nARGUMENTS: x');
});

test('L-162 $ARGUMENTS counts as matched when the arguments are empty', () => {
  expect(renderWith('[$ARGUMENTS]', { args: '' })).toBe('[]');
});

test('L-163 without arguments every argument token stays', () => {
  const body = '$0 $name $ARGUMENTS $ARGUMENTS[1]';
  expect(renderWith(body, undefined)).toBe(body);
  expect(renderWith(body, {})).toBe(body);
});

test('values that are no strings become text', () => {
  expect(
    renderWith('[$a][$b][$c][$d]', { a: null, b: 1.5, c: true, d: { x: [1] } }, [
      'a',
      'b',
      'c',
      'd',
    ]),
  ).toBe('[][1.5][true][{"x":[1]}]');
});

test('$pathName reads as $path and the rest', () => {
  expect(renderWith('$pathName', { path: 'p' }, ['path'])).toBe('pName');
});
