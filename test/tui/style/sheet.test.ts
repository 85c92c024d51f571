import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUILTIN_SHEET } from '../../../src/tui/style/builtin-sheet.ts';
import { PROPERTIES } from '../../../src/tui/style/properties.ts';
import { parseSelector } from '../../../src/tui/style/selector.ts';
import { parseSheet } from '../../../src/tui/style/sheet.ts';

/** Problems as `line:col message`. */
function problems(source: string, version: 1 | 2 | 3 = 3): string[] {
  const { diagnostics } = parseSheet({ source, file: 'a.tcss', version });
  for (const found of diagnostics) {
    expect(found).toMatchObject({
      code: 'V003',
      severity: 'error',
      path: '',
      id: '',
      file: 'a.tcss',
    });
  }
  return diagnostics.map(({ line, col, msg }) => `${line}:${col} ${msg}`);
}

const rules = (source: string) => parseSheet({ source, file: 'a.tcss', version: 3 }).sheet.rules;

describe('syntax', () => {
  test('G-007 U-103 rules, media and comments; places count code points from 1', () => {
    const [rule] = rules('\ufeff/* 😀 */ box /* x */ > .a\r\n{ color: red; /* y */ bold : true; }');
    expect(rule).toMatchObject({ selectorText: 'box   > .a', line: 1, col: 9 });
    expect(rule!.declarations.map(({ property, line, col }) => [property, line, col])).toEqual([
      ['color', 2, 3],
      ['bold', 2, 23],
    ]);
  });

  test('G-007 an inline body continues the places of its document', () => {
    const { sheet } = parseSheet({
      source: ' box { gap: 1; }',
      file: 'a',
      version: 1,
      start: { line: 3, col: 10 },
    });
    expect(sheet.rules[0]!.declarations[0]).toMatchObject({ line: 3, col: 17 });
  });

  test.each([
    ['/* x', ['1:1 unterminated comment']],
    ['} box { gap: 1 }', ["1:1 unexpected '}'"]],
    ['box; text { gap: 1 }', [`1:1 expected '{' after selector "box"`]],
    ['box', [`1:1 expected '{' after selector "box"`]],
    ['box, :root { }', ['1:1 :root must be the only selector in its rule']],
    ['box { gap: 1', ['1:13 unterminated declaration block']],
    ['box { text { gap: 1 } gap: 2 }', ['1:7 nested rules are not supported']],
    ['box { gap }', [`1:7 expected 'property: value', got "gap"`]],
    ['box { gap: 1 !important }', ['1:7 !important is not supported']],
    [':root { gap: 1 }', [`1:9 only --token definitions are allowed in :root (got "gap")`]],
    [':root { --1: red }', [`1:9 bad token name "--1"`]],
    [
      ':root { --a: $b }',
      [
        `1:9 token --a: bad color "$b" (want $token, var(--token), an ANSI name, #rgb, #rrggbb, or default)`,
      ],
    ],
    ['@import x;', [`1:1 unsupported at-rule "@import x"`]],
    [
      '@font (a) { box { gap: 9 } }',
      [
        '1:1 unsupported at-rule @font (only @media)',
        '1:19 gap: bad value "9" (want one integer 0-4)',
      ],
    ],
    ['@media (max-cols: 3) { @media (max-cols: 2) { } }', ['1:24 nested @media is not supported']],
    ['@media (max-cols: 3) { box { gap: 1 }', ['1:38 unterminated @media block']],
  ])('G-008 U-105 %s', (source, expected) => {
    expect(problems(source)).toEqual(expected);
  });

  test('G-008 a bad selector drops its rule, a bad declaration only itself', () => {
    expect(
      rules('box text { gap: 1 } box { gap: 7; bold: true }').map((r) => r.declarations.length),
    ).toEqual([1]);
  });

  test('G-008 no text makes the parser fail', () => {
    const piece = fc.constantFrom(
      'box',
      '{',
      '}',
      ';',
      ':',
      '/*',
      '*/',
      '@media',
      '(max-cols: 4)',
      ':root',
      '--a',
      ',',
      ' ',
      '\n',
      'gap: 1',
      '"',
      '>',
      '.a',
      '#',
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => void problems(pieces.join(''))));
  });

  test.each([
    ['(max-cols: 3) and (min-cols: 1)', 'exactly one feature per block'],
    ['max-cols: 3', 'exactly one feature per block'],
    ['(max-cols)', 'want (feature: N)'],
    ['(theme: blue)', 'the theme feature takes dark or light'],
    ['(max-rows: x)', 'value must be a whole number of cells'],
    [
      '(width: 3)',
      'feature "width" is not supported (max-cols, min-cols, max-rows, min-rows, theme)',
    ],
  ])('G-009 U-107 @media %s', (condition, message) => {
    expect(problems(`@media ${condition} { }`)[0]).toContain(message);
  });

  test('G-010 G-002 a sheet is checked against the version of its document', () => {
    expect(problems('box { row-gap: 1 }', 3)).toEqual([]);
    expect(problems('box { row-gap: 1 }', 2)).toEqual([
      '1:7 property "row-gap" (requires version="3")',
    ]);
    expect(problems('box { scrollbar: auto }', 1)).toEqual([
      '1:7 property "scrollbar" (requires version="2")',
    ]);
    expect(problems('@media (theme: dark) {}', 1)[0]).toContain('(requires version="2")');
  });
});

describe('selectors', () => {
  const error = (text: string, version: 1 | 2 | 3 = 3) => {
    const parsed = parseSelector(text, version);
    return 'error' in parsed ? parsed.error : null;
  };

  test('G-011 G-017 U-110 compounds in any order, specificity is a plain sum', () => {
    const parsed = parseSelector('col.a:focus > #x.b.c:empty>text', 2);
    if ('error' in parsed) throw new Error(parsed.error);
    expect(parsed.selector.compounds).toHaveLength(3);
    expect(parsed.selector.specificity).toBe(1 + 10 + 10 + 100 + 20 + 10 + 1);
    const ten = parseSelector('.a.b.c.d.e.f.g.h.i.j', 1);
    expect('selector' in ten && ten.selector.specificity).toBe(100);
  });

  test.each([
    ['', 'empty selector'],
    ['> box', `selector "> box": '>' needs a selector on both sides`],
    ['box > > text', `selector "box > > text": '>' needs a selector on both sides`],
    ['box >', 'selector "box >" ends with a combinator'],
    [
      'box text',
      `selector "box text": the descendant combinator (space) is not supported; use '>'`,
    ],
    ['*', 'selector "*": the universal selector * is not supported'],
    ['&', 'selector "&": nesting (&) is not supported'],
    ['box[a]', 'selector "box[a]": attribute selectors are not supported'],
    ['box + text', 'selector "box + text": sibling combinators are not supported'],
    ['box~text', 'selector "box~text": sibling combinators are not supported'],
    ['lsit', 'selector "lsit": unknown type "lsit" (not in the tag catalog)'],
    ['#', `selector "#": '#' needs an id`],
    ['#a#b', 'selector "#a#b": more than one #id in a compound'],
    ['box.', `selector "box.": '.' needs a class name`],
    ['box::before', 'selector "box::before": pseudo-elements are not supported'],
    ['box:not(.a)', 'selector "box:not(.a)": :not is not supported'],
    ['box:nth-child', 'selector "box:nth-child": :nth-child is not supported'],
    ['box:root', 'selector "box:root": :root must stand alone'],
    ['box!', 'selector "box!": unexpected "!"'],
  ])('G-012 U-109 %j', (text, message) => {
    expect(error(text)).toBe(message);
  });

  test('G-012 G-006 types that never make boxes are refused', () => {
    for (const type of ['tui', 'style', 'keymap', 'bind'])
      expect(error(type)).toContain('is not rendered');
    for (const type of ['checkbox', 'select', 'tree', 'tooltip'])
      expect(error(type)).toContain('unknown type');
  });

  test('G-013 pseudo-classes by version', () => {
    for (const name of ['focus', 'selected', 'disabled', 'empty'])
      expect(error(`box:${name}`, 1)).toBeNull();
    for (const name of ['checked', 'focus-within']) {
      expect(error(`box:${name}`, 1)).toContain('(requires version="2")');
      expect(error(`box:${name}`, 2)).toBeNull();
    }
    expect(error('box:hover', 1)).toContain('(use :focus :selected :disabled :empty)');
    expect(error('box:hover', 2)).toContain(
      '(use :focus :selected :disabled :empty :checked :focus-within)',
    );
  });
});

describe('properties', () => {
  test('G-025 U-111 there are 35, in this order', () => {
    expect(PROPERTIES).toHaveLength(35);
    expect(PROPERTIES.map(({ name }) => name).join(' ')).toBe(
      'layout grid-columns grid-min-width scrollbar dock width height min-width min-height max-width max-height flex gap row-gap column-gap padding margin align justify overflow content-align display color background border-color title-color border bold dim italic underline reverse wrap visibility bar',
    );
    expect(PROPERTIES.filter(({ inherited }) => inherited).map(({ name }) => name)).toEqual([
      'color',
      'bold',
      'dim',
      'italic',
      'underline',
      'reverse',
      'wrap',
      'visibility',
    ]);
  });

  test.each([
    ['layout: flow', 'layout: bad value "flow" (want column | row | grid)'],
    ['gap: 5', 'gap: bad value "5" (want one integer 0-4)'],
    ['gap: 1 2', 'gap: bad value "1 2" (want one integer 0-4)'],
    ['width: 1.5', 'width: bad size "1.5": cells are integers'],
    ['width: 0fr', 'width: bad size "0fr": fr weight must be > 0'],
    ['width: 5 %', 'width: bad size "5 %" (want N, N%, Nfr, or auto)'],
    ['flex: -1', 'flex: bad value "-1" (want a number >= 0)'],
    ['padding: 1 2 3 4 5', 'padding: want 1-4 cell values, got "1 2 3 4 5"'],
    ['margin: 1px', 'margin: bad cell value "1px" (cells only, no units)'],
    ['bold: yes', 'bold: bad value "yes" (want true or false)'],
    ['color: $1', 'color: bad token reference "$1"'],
    [
      'color: grey',
      'color: bad color "grey" (want $token, var(--token), an ANSI name, #rgb, #rrggbb, or default)',
    ],
    ['colour: red', 'unknown property "colour"'],
    ['--a: red', 'custom property --a is only allowed in :root'],
    ['gap:', 'gap: empty value'],
    [
      'wrap: none',
      'wrap: bad value "none" (want wrap | nowrap | truncate | truncate-start | truncate-middle)',
    ],
  ])('G-025 U-113 %s', (declaration, message) => {
    expect(problems(`box { ${declaration} }`)).toEqual([`1:7 ${message}`]);
  });

  test('G-029 grid numbers take digits only, and a huge minimum is capped', () => {
    expect(problems('box { grid-columns: +3 }')).toEqual([
      '1:7 grid-columns: bad value "+3" (want an integer 1-12)',
    ]);
    expect(problems('box { grid-columns: 13; grid-min-width: 0 }')).toHaveLength(2);
    const [rule] = rules('box { grid-min-width: 99999999999 }');
    expect(rule!.declarations[0]!.value).toBe(2 ** 30);
  });

  test('G-026 padding shorthand', () => {
    const sides = (value: string) => rules(`box { padding: ${value} }`)[0]!.declarations[0]!.value;
    expect(sides('1')).toEqual([1, 1, 1, 1]);
    expect(sides('1 2')).toEqual([1, 2, 1, 2]);
    expect(sides('1 2 3')).toEqual([1, 2, 3, 2]);
    expect(sides('+1 2 3 4')).toEqual([1, 2, 3, 4]);
  });

  test('G-040 a number has at most 1000 characters', () => {
    expect(problems(`box { width: ${'1'.repeat(1000)} }`)).toEqual([]);
    expect(problems(`box { flex: ${'1'.repeat(1001)} }`)).toEqual([
      '1:7 flex: a number has at most 1000 characters',
    ]);
    expect(problems(`box { width: ${'1'.repeat(1001)} }`)[0]).toMatch(
      /a number has at most 1000 characters$/,
    );
  });

  test('G-037 G-038 colours are canonical', () => {
    const color = (value: string) => rules(`box { color: ${value} }`)[0]?.declarations[0]?.value;
    expect(color('#AbC')).toEqual({ color: '#aabbcc' });
    expect(color('#ABCDEF')).toEqual({ color: '#abcdef' });
    expect(color('bright-red')).toEqual({ color: 'bright-red' });
    expect(color('default')).toEqual({ color: 'default' });
    expect(color('$x')).toEqual({ token: 'x' });
    expect(color('var(--x-1)')).toEqual({ token: 'x-1' });
    for (const bad of ['Red', 'bright-default', '#ab', 'rgb(1,2,3)', 'orange'])
      expect(color(bad)).toBeUndefined();
  });
});

describe('the built-in sheet', () => {
  test('G-030 U-117 its declarations stand where inspect says they stand', () => {
    const listing = BUILTIN_SHEET.rules.map(({ selectorText, line, declarations }) => {
      return `${line} ${selectorText} ${declarations.map((d) => `${d.property}: ${d.text} ${d.col}`).join(', ')}`;
    });
    expect(listing).toEqual([
      '2 screen layout: column 10, width: 100% 26, height: 100% 39',
      '3 col layout: column 10, width: 1fr 26, height: 1fr 38',
      '4 row layout: row 10, width: 1fr 26, height: 1fr 38',
      '5 box layout: column 10',
      '6 text width: auto 10, height: auto 23',
      '7 scroll layout: column 10',
      '8 list layout: column 10',
      '9 item layout: column 10',
      '10 modal layout: column 10, border: single 26',
      '11 spacer flex: 1 10',
      '12 input, button, progress, rule width: auto 33, height: auto 46',
      '13 list > item:selected reverse: true 24',
      '14 table layout: column 10, wrap: truncate 26',
      '15 table > item:selected reverse: true 25',
      '16 tabs layout: column 10',
      '17 tab layout: column 10',
      '18 sparkline width: auto 13, height: auto 26',
      '19 hints layout: row 10, gap: 2 23',
      '20 hints > row gap: 1 15',
    ]);
  });
});
