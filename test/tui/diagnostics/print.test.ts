import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dedupeDiagnostics, isOk, sortDiagnostics } from '../../../src/tui/diagnostics/order.ts';
import { diagnosticMembers, diagnosticText } from '../../../src/tui/diagnostics/print.ts';
import { quote } from '../../../src/tui/diagnostics/quote.ts';
import type { Diagnostic } from '../../../src/tui/diagnostics/types.ts';
import { CODES } from '../../../src/tui/language/codes.ts';

function finding(part: Partial<Diagnostic>): Diagnostic {
  return {
    severity: 'error',
    code: 'V001',
    msg: 'm',
    file: 'a.tui',
    line: 1,
    col: 2,
    path: '/screen',
    id: 'x',
    ...part,
  };
}

describe('U-001 quoting', () => {
  test.each([
    ['', '""'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
    ['\u0001\u007f', '"\\x01\\x7f"'],
    ['\u00a0\u3000\u200b', '"\\u00a0\\u3000\\u200b"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['é漢😀 ½', '"é漢😀 ½"'],
  ])('U-001 %j', (text, quoted) => expect(quote(text)).toBe(quoted));

  test('U-001 a quoted text is one line of printable characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(quote(text)).toMatch(/^"[\p{L}\p{M}\p{N}\p{P}\p{S} ]*"$/u);
      }),
    );
  });
});

describe('shape and text', () => {
  test('U-118 U-006 members in order, empty ones left out', () => {
    expect(JSON.stringify(diagnosticMembers(finding({})))).toBe(
      '{"severity":"error","code":"V001","msg":"m","file":"a.tui","line":1,"col":2,"path":"/screen","id":"x"}',
    );
    const bare = finding({ file: '', line: 0, col: 0, path: '', id: '' });
    expect(JSON.stringify(diagnosticMembers(bare))).toBe(
      '{"severity":"error","code":"V001","msg":"m"}',
    );
  });

  test.each([
    [finding({}), 'error V001 a.tui:1:2 /screen m'],
    [finding({ file: '' }), 'error V001 <input>:1:2 /screen m'],
    [finding({ line: 0, col: 0, severity: 'warning' }), 'warning V001 a.tui /screen m'],
    [finding({ file: '', line: 0, col: 0, path: '' }), 'error V001 m'],
  ])('U-119 text form %#', (diagnostic, text) => expect(diagnosticText(diagnostic)).toBe(text));
});

describe('lists', () => {
  test('U-120 sorted by file bytes, line, column, code; unnamed first; stable', () => {
    const list = [
      finding({ file: 'b', msg: '1' }),
      finding({ file: 'B', msg: '2' }),
      finding({ file: '', msg: '3' }),
      finding({ file: 'b', line: 1, col: 1, code: 'V003', msg: '4' }),
      finding({ file: 'b', line: 1, col: 1, code: 'B003', msg: '5' }),
      finding({ file: 'b', msg: '6' }),
      finding({ file: '\u{10000}', msg: '8' }),
      finding({ file: '\uffff', msg: '7' }),
    ];
    expect(sortDiagnostics(list).map(({ msg }) => msg)).toEqual([
      '3',
      '2',
      '5',
      '4',
      '1',
      '6',
      '7',
      '8',
    ]);
  });

  test('U-121 the same text form is reported once, whatever the id', () => {
    const list = [finding({}), finding({ id: 'y' }), finding({ msg: 'n' })];
    expect(dedupeDiagnostics(list).map(({ id, msg }) => id + msg)).toEqual(['xm', 'xn']);
  });

  test('U-122 ok means no error', () => {
    expect(isOk([finding({ severity: 'warning' })])).toBe(true);
    expect(isOk([finding({ severity: 'warning' }), finding({})])).toBe(false);
  });
});

describe('the catalog of codes', () => {
  test('U-126 has every code once, in order, without V008 and V009', () => {
    const codes = CODES.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).not.toContain('V008');
    expect(codes).not.toContain('V009');
    expect(codes.filter((code) => code.startsWith('L'))).toHaveLength(9);
    expect(codes.filter((code) => code.startsWith('B'))).toHaveLength(10);
  });

  test('U-123 severities', () => {
    const warnings = CODES.filter(({ severity }) => severity === 'warning').map(({ code }) => code);
    expect(warnings.join(' ')).toBe('L003 L005 L006 L007 L008 L009 B002 B003 B004 B006 B009 B010');
  });
});
