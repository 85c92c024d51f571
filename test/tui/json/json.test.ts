import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/tui/data/value.ts';
import { decodeJson, decodeUtf8, JsonError } from '../../../src/tui/json/decode.ts';
import { expandInteger } from '../../../src/tui/json/integer.ts';
import {
  compactSortedJson,
  LazyList,
  OutputLimit,
  printJson,
  quoteJson,
} from '../../../src/tui/json/print.ts';
import { compactRaw } from '../../../src/tui/json/raw.ts';

function errorOf(text: string): string {
  try {
    decodeJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
  return 'no error';
}

/** Our Map-based value as the plain one of JSON.parse. */
function plain(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]));
  return value;
}

describe('output', () => {
  test('U-005 two spaces, one element per line, empty containers, one LF', () => {
    expect(printJson({ a: [], b: {}, c: [1, { d: null }], e: undefined })).toBe(
      '{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    {\n      "d": null\n    }\n  ]\n}\n',
    );
  });

  test('U-005 escapes in strings', () => {
    expect(quoteJson('<>&"\\\b\f\n\r\t\u0001\u001f\u007fé\u2028\u2029\ud800')).toBe(
      '"\\u003c\\u003e\\u0026\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\u007fé\\u2028\\u2029\\ufffd"',
    );
  });

  test.each([
    [1, '1'],
    [1.5, '1.5'],
    [1e20, '100000000000000000000'],
    [1e21, '1e+21'],
    [1e-6, '0.000001'],
    [1e-7, '1e-7'],
  ])('U-005 number %d', (value, text) => expect(printJson(value)).toBe(`${text}\n`));

  test('U-005 members are sorted by bytes where the contract says sorted', () => {
    const value = new Map<string, JsonValue>([
      ['\u{10000}', 1],
      ['\uffff', 2],
      ['a', 3],
      ['B', 4],
    ]);
    expect(compactSortedJson(value)).toBe('{"B":4,"a":3,"\uffff":2,"\u{10000}":1}');
  });

  test('U-005 U-007 what is printed decodes to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const decoded = decodeJson(JSON.stringify(value));
        expect(plain(decodeJson(printJson(decoded)))).toEqual(plain(decoded));
      }),
    );
  });
});

describe('input', () => {
  test('U-007 agrees with the platform on valid JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(plain(decodeJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('U-007 a text is refused exactly when the platform refuses it', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '.5',
      'e1',
      '0',
      'true',
      'nul',
      ' ',
      '\n',
      '\\u12',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        let isValid = true;
        try {
          JSON.parse(text);
        } catch {
          isValid = false;
        }
        expect(errorOf(text) === 'no error').toBe(isValid);
      }),
      { numRuns: 3000 },
    );
  });

  test('U-007 the last of repeated members wins, lone surrogates become U+FFFD', () => {
    expect(plain(decodeJson('{"a":1,"a":2}'))).toEqual({ a: 2 });
    expect(decodeJson('"\\ud800x\\udc00"')).toBe('\ufffdx\ufffd');
    expect(decodeJson(decodeUtf8(new Uint8Array([0x22, 0xff, 0x22])))).toBe('\ufffd');
  });

  test('U-007 __proto__ is an ordinary member', () => {
    const value = decodeJson('{"__proto__":{"x":1},"constructor":2}') as Map<string, JsonValue>;
    expect([...value.keys()]).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('U-007 U-232 nesting of 10,000 is fine and printable, 10,001 is an error', () => {
    const nested = (n: number) => '['.repeat(n) + ']'.repeat(n);
    expect(compactSortedJson(decodeJson(nested(10_000)))).toBe(nested(10_000));
    expect(errorOf(nested(10_001))).toBe('exceeded max depth');
    expect(errorOf('['.repeat(1_000_000))).toBe('exceeded max depth');
  });

  test.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['"a', 'unexpected end of JSON input'],
    ['tr', "invalid character ' ' in literal true (expecting 'u')"],
    ['falze', "invalid character 'z' in literal false (expecting 's')"],
    ['nil', "invalid character 'i' in literal null (expecting 'u')"],
    ['x', "invalid character 'x' looking for beginning of value"],
    ["'", "invalid character '\\'' looking for beginning of value"],
    ['[1"', `invalid character '"' after array element`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{a}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 2}', "invalid character '2' after object key:value pair"],
    ['1 2', "invalid character '2' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
    ['1e400', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
  ])('U-008 %j', (text, message) => expect(errorOf(text)).toBe(message));
});

describe('raw JSON', () => {
  test('U-212 white space goes, the rest stays as written', () => {
    expect(compactRaw(' { "a b" : [ 1.0 , "\\u0041<" ] } ')).toBe('{"a b":[1.0,"\\u0041\\u003c"]}');
  });

  test.each([
    ['1000', '1000'],
    ['-0', '-0'],
    ['1e3', '1000'],
    ['1.0', '1'],
    ['12.50e1', '125'],
    ['0.5e1', '5'],
    ['-12.0', '-12'],
    ['0.0', '0'],
    ['0e999999999999999999999', '0'],
    ['10e-1', '1'],
    ['1.5', null],
    ['1e-1', null],
    ['1.0000000000000001', null],
    ['1e-99999999999999999999', null],
    ['1e4095', `1${'0'.repeat(4095)}`],
    ['1e4096', '1e4096'],
    ['1e999999999999', '1e999999999999'],
  ])('U-222 %s', (literal, digits) => expect(expandInteger(literal)).toBe(digits));
});

describe('long outputs', () => {
  test('U-005 a list whose items are made while it is printed reads like one that is there', () => {
    const items = Array.from({ length: 5000 }, (_, i) => ({ i, text: 'é'.repeat(i % 40) }));
    expect(printJson({ a: new LazyList(items.length, (i) => items[i]!), b: 1 })).toBe(
      printJson({ a: items, b: 1 }),
    );
    expect(JSON.parse(printJson({ a: items }))).toEqual({ a: items });
    expect(compactSortedJson(new LazyList(0, () => 1) as never)).toBe('[]');
  });

  test('an output of gigabytes is refused while it is written', () => {
    let made = 0;
    const megabyte = 'x'.repeat(1024 * 1024);
    const list = new LazyList(4096, () => {
      made += 1;
      return megabyte;
    });
    expect(() => printJson(list)).toThrow(OutputLimit);
    expect(made).toBeLessThan(300);
  });
});
