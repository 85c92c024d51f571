import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolvePath, type Scope } from '../../../src/tui/data/scope.ts';
import {
  goTypeName,
  isTruthy,
  type JsonObject,
  type JsonValue,
  typeName,
} from '../../../src/tui/data/value.ts';
import { setAt } from '../../../src/tui/data/write.ts';
import { decodeJson } from '../../../src/tui/json/decode.ts';
import { compactSortedJson } from '../../../src/tui/json/print.ts';
import { cleanText } from '../../../src/tui/template/clean.ts';
import { expandTemplate, guardHolds } from '../../../src/tui/template/expand.ts';
import { formatValue } from '../../../src/tui/template/format.ts';
import { parseTemplate } from '../../../src/tui/template/parse.ts';
import { parseGuard, parsePath } from '../../../src/tui/template/paths.ts';

function store(text: string): JsonObject {
  return decodeJson(text) as JsonObject;
}

function lookup(path: string, scope: Scope): JsonValue | undefined {
  return resolvePath(parsePath(path)!, scope);
}

describe('paths', () => {
  const scope: Scope = {
    store: store('{"a":{"b":1,"n":null},"x":[7],"row":"store"}'),
    alias: {
      name: 'row',
      value: store('{"name":"in"}'),
      outer: { name: 'row', value: 'outer', outer: null },
    },
  };

  test.each([
    ['a.b', 1],
    ['a.n', null],
    ['a.zz', undefined],
    ['a.b.c', undefined],
    ['row', store('{"name":"in"}')],
    ['row.name', 'in'],
    ['row.zz', undefined],
  ])('U-065 %s', (path, value) => expect(lookup(path, scope)).toEqual(value));

  test('U-065 arrays yield elements by decimal index from host paths only', () => {
    expect(resolvePath({ source: 'x.0', segments: ['x', '0'] }, scope)).toBe(7);
    expect(resolvePath({ source: 'x.1', segments: ['x', '1'] }, scope)).toBeUndefined();
    expect(parsePath('x.0')).toBeNull();
  });

  test.each([
    ['a', true],
    ['_a9.b_', true],
    ['', false],
    ['a.', false],
    ['.a', false],
    ['a b', false],
    ['9a', false],
    ['a-b', false],
    [' a', false],
  ])('U-041 path %j', (text, isPath) => expect(parsePath(text) !== null).toBe(isPath));

  test('U-041 a guard is a path or ! directly before one', () => {
    expect(parseGuard('!a.b')?.negated).toBe(true);
    expect(parseGuard('! a')).toBeNull();
    expect(parseGuard('!!a')).toBeNull();
  });
});

describe('values', () => {
  test.each(['null', 'false', '0', '""', '[]', '-0'])('U-066 %s is false', (text) =>
    expect(isTruthy(decodeJson(text))).toBe(false),
  );
  test.each(['true', '1', '"0"', '"false"', '{}', '[0]', '" "'])('U-066 %s is true', (text) =>
    expect(isTruthy(decodeJson(text))).toBe(true),
  );

  test('U-067 a missing path makes the guard false and its negation true', () => {
    const scope = { store: store('{"on":true}'), alias: null };
    const holds = (text: string) => guardHolds(parseGuard(text)!, scope);
    expect(holds('on')).toEqual({ holds: true, missing: false });
    expect(holds('!on')).toEqual({ holds: false, missing: false });
    expect(holds('zz')).toEqual({ holds: false, missing: true });
    expect(holds('!zz')).toEqual({ holds: true, missing: true });
  });

  test.each([
    ['null', ''],
    ['"a\\nb"', 'a\nb'],
    ['true', 'true'],
    ['-0', '0'],
    ['42', '42'],
    ['999999999999999', '999999999999999'],
    ['[1e21,{"b":1,"a":"<"}]', '[1e+21,{"a":"\\u003c","b":1}]'],
  ])('U-068 %s', (text, shown) => expect(formatValue(decodeJson(text))).toBe(shown));

  test.each([
    [2.5, '2.5'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [123456.5, '123456.5'],
    [1234567.5, '1.2345675e+06'],
    [1e15, '1e+15'],
    [1e20, '1e+20'],
    [-1e-7, '-1e-07'],
    [1.5e300, '1.5e+300'],
  ])('U-069 %d', (value, shown) => expect(formatValue(value)).toBe(shown));

  test('U-069 the digits round-trip', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(formatValue(value))).toBe(value + 0);
      }),
    );
  });

  test('U-071 U-072 type names', () => {
    const values = ['null', 'true', '1', '"a"', '[]', '{}'].map(decodeJson);
    expect(values.map(typeName).join(', ')).toBe(
      'null, a bool, a number, a string, an array, an object',
    );
    expect(values.map(goTypeName).join(', ')).toBe(
      '<nil>, bool, float64, string, []interface {}, map[string]interface {}',
    );
  });
});

describe('U-072 writing', () => {
  test.each([
    ['{}', 'a.b', '1', '{"a":{"b":1}}'],
    ['{"a":null}', 'a.b', '1', '{"a":{"b":1}}'],
    ['{"a":[1,2]}', 'a.1', '9', '{"a":[1,9]}'],
    ['{"a":[null]}', 'a.0.x', '1', '{"a":[{"x":1}]}'],
    ['{"a":1}', '', '{"z":0}', '{"z":0}'],
    ['{}', '@other', '1', '{"@other":1}'],
    ['{}', '__proto__.x', '1', '{"__proto__":{"x":1}}'],
  ])('%s at %j', (before, path, value, after) => {
    const root = store(before);
    expect(setAt(root, path, decodeJson(value))).toBeNull();
    expect(compactSortedJson(root)).toBe(after);
  });

  test.each([
    ['{}', 'a..b', '1', 'tuimark: bad path "a..b"'],
    ['{}', '.', '1', 'tuimark: bad path "."'],
    ['{}', '', '[1]', 'tuimark: the root value must be a JSON object, got []interface {}'],
    ['{"a":[1]}', 'a.1', '1', 'set "a.1": "1" is not an index of a 1-element array'],
    ['{"a":[1]}', 'a.x', '1', 'set "a.x": "x" is not an index of a 1-element array'],
    ['{"a":"s"}', 'a.b', '1', 'set "a.b": "b" is inside a string, not an object'],
    ['{"a":true}', 'a.b.c', '1', 'set "a.b.c": "b" is inside a bool, not an object'],
  ])('U-072 %s at %j fails and changes nothing', (before, path, value, message) => {
    const root = store(before);
    expect(setAt(root, path, decodeJson(value))).toBe(message);
    expect(compactSortedJson(root)).toBe(before);
  });
});

describe('text', () => {
  test.each([
    ['a\u001b[31mred\u001b[0m', 'ared'],
    ['\u001b]0;title\u0007x\u001b]8;;u\u001b\\y', 'xy'],
    ['\u001b[31', ''],
    ['\u001b😀x\u001b', 'x'],
    ['a\tb\u0000\u007f\u0085c', 'abc'],
  ])('U-059 %j', (text, cleaned) => expect(cleanText(text, { keepLf: true })).toBe(cleaned));

  test('U-060 line feeds stay in text and go in a value of one line', () => {
    expect(cleanText('a\nb\r', { keepLf: true })).toBe('a\nb');
    expect(cleanText('a\nb', { keepLf: false })).toBe('ab');
  });

  test('U-061 U-060 U-086 insertions are cleaned, missing paths are empty and named', () => {
    const { template } = parseTemplate('x{a}y{zz.q}{ unclosed');
    const missing: string[] = [];
    const scope = { store: store('{"a":"\\u001b[1mb\\n"}'), alias: null };
    const text = expandTemplate(template, scope, (path) => missing.push(path.source));
    expect(text).toBe('xb\ny{ unclosed');
    expect(missing).toEqual(['zz.q']);
  });

  test.each([
    ['{ a }', '{ a } is not a path: write {a}, with no spaces inside the braces'],
    ['{a b}{ c }', '{a b} is not a path; markup has no expressions'],
    ['{a{b}', '{a{b} is not a path; markup has no expressions'],
    ['{}', '{} is not a path; markup has no expressions'],
  ])('U-061 %s renders as its source', (source, error) => {
    const parsed = parseTemplate(source);
    expect(parsed.error).toBe(error);
    expect(parsed.template.parts).toEqual([source]);
  });
});
