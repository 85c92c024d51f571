import { describe, expect, test } from 'vitest';
import { parseDecimal, percentOf, splitByWeight } from '../../../src/tui/style/decimal.ts';
import { at, box, codes, draw } from '../stage.ts';

/** Draws a row of boxes and gives each as `width@x`. */
function row(width: number, styles: string[], css = ''): { line: string; codes: string[] } {
  const boxes = styles.map((style, i) => `<box id="b${i}" style="${style}"/>`).join('');
  const frame = draw(`<row id="r" style="width: ${width}; ${css}">${boxes}</row>`, {
    cols: 400,
    rows: 5,
  });
  const line = styles.map((_, i) => {
    const { w, x } = box(frame, `b${i}`);
    return `${w}@${x}`;
  });
  return { line: line.join(', '), codes: codes(frame) };
}

describe('sharing a row', () => {
  test.each([
    [100, ['width: 10', 'width: 1fr'], '', '10@0, 90@10'],
    [100, ['width: 20', 'width: 50%', 'width: 1fr'], '', '20@0, 50@20, 30@70'],
    [100, ['width: 33%', 'width: 1fr'], '', '33@0, 67@33'],
    [10, ['width: 1fr', 'width: 1fr', 'width: 1fr'], '', '3@0, 3@3, 4@6'],
    [10, ['width: 1fr', 'width: 2fr', 'width: 1fr'], '', '2@0, 5@2, 3@7'],
    [10, ['width: 0.5fr', 'width: 1.5fr'], '', '2@0, 8@2'],
    [30, ['width: 0.1fr', 'width: 0.2fr'], '', '10@0, 20@10'],
    [375, ['width: 18.4%', 'width: 1fr'], '', '69@0, 306@69'],
    [100, ['width: 20', 'flex: 1', 'flex: 3'], '', '20@0, 20@20, 60@40'],
    [100, ['width: 20; flex: 0', 'width: 1fr'], '', '20@0, 80@20'],
    [100, ['flex: 1', 'flex: 0'], '', '100@0, 0@100'],
    [100, ['height: 1', 'width: 1fr'], '', '50@0, 50@50'],
    [100, ['height: 1', 'width: 10'], '', '0@0, 10@0'],
    [100, ['width: 10', 'width: 50%', 'width: 1fr'], 'gap: 2', '10@0, 50@12, 36@64'],
    [100, ['width: 50; max-width: 20', 'width: 1fr'], '', '20@0, 80@20'],
    [100, ['width: 10%; min-width: 30', 'width: 1fr'], '', '30@0, 70@30'],
    [100, ['width: 80; max-width: 25%', 'width: 1fr'], '', '25@0, 75@25'],
    [100, ['width: 1fr; max-width: 10', 'width: 1fr'], '', '10@0, 50@10'],
    [100, ['width: 1fr; min-width: 70', 'width: 1fr'], '', '70@0, 50@70'],
    [100, ['width: 10; margin: 1 2', 'width: 1fr'], '', '10@2, 86@14'],
  ])('G-202 G-063 a row of %i with %j %s', (width, styles, css, expected) => {
    const result = row(width, styles, css);
    expect(result.line).toBe(expected);
    expect(result.codes).toEqual([]);
  });

  test.each([
    [['width: 15', 'width: 15'], '15@0, 15@15'],
    [['width: 25', 'width: 1fr'], '25@0, 0@25'],
  ])('G-202 G-064 fixed sizes that do not fit in 20 are told: %j', (styles, expected) => {
    const result = row(20, styles);
    expect(result.line).toBe(expected);
    expect(result.codes).toEqual(['L003']);
  });

  test('G-202 G-064 a percent alone never warns', () => {
    expect(row(20, ['width: 150%'])).toEqual({ line: '30@0', codes: [] });
  });

  test('G-064 the warning carries both numbers and sits on the parent', () => {
    const frame = draw('<row id="r" style="width: 20"><box width="15"/><box width="15"/></row>');
    const [found] = frame.diagnostics;
    expect(found).toMatchObject({ severity: 'warning', code: 'L003', id: 'r' });
    expect(found!.msg).toMatch(
      /^fixed and min sizes need 30 cells but the row has 20 on this axis; /,
    );
  });

  test('G-203 a column of 24 rows with gaps', () => {
    const heights = ['2', '2', '1fr', '25%'];
    const boxes = heights.map((h, i) => `<box id="b${i}" height="${h}"/>`).join('');
    const frame = draw(`<col id="c" gap="1">${boxes}</col>`, { cols: 30, rows: 24 });
    expect(heights.map((_, i) => at(frame, `b${i}`))).toEqual([
      '30x2@(0,0)',
      '30x2@(0,3)',
      '30x11@(0,6)',
      '30x6@(0,18)',
    ]);
  });
});

describe('exact arithmetic', () => {
  const decimal = (text: string) => parseDecimal(text)!;

  test('G-204 G-041 G-043 a percent is taken of the literal, not of a double', () => {
    expect(percentOf(300, decimal('33.333333333333333333'))).toBe(99);
    expect(percentOf(300, decimal('66.666666666666666667'))).toBe(200);
    expect(percentOf(0, decimal('50'))).toBe(0);
    expect(percentOf(-7, decimal('50'))).toBe(0);
  });

  test('G-204 G-044 shares are floored and the last takes the rest', () => {
    expect(splitByWeight(3, [decimal('1'), decimal('2.0000000000000001')])).toEqual([0, 3]);
    expect(splitByWeight(9, [decimal('1.0'), decimal('002')])).toEqual([3, 6]);
    expect(splitByWeight(9, [decimal('0'), decimal('0')])).toEqual([0, 9]);
  });

  test('G-040 literals are canonical', () => {
    expect(decimal('007.50').literal).toBe('7.5');
    expect(decimal('2.0').literal).toBe('2');
    for (const bad of ['', '.5', '5.', '1.2.3', '-1', '1e3', '+1', ' 1']) {
      expect(parseDecimal(bad)).toBeNull();
    }
  });

  test('G-042 sizes are capped at 2^40', () => {
    expect(percentOf(2 ** 40, decimal('100000'))).toBe(2 ** 40);
    const frame = draw('<row><box id="b" width="99999999999999999999"/></row>');
    expect(box(frame, 'b').w).toBe(2 ** 40);
  });
});

describe('justify and align', () => {
  const justify = (css: string, widths: number[], width = 20) => {
    const boxes = widths.map((w, i) => `<box id="b${i}" width="${w}" height="1"/>`).join('');
    const frame = draw(`<row style="width: ${width}; height: 5; ${css}">${boxes}</row>`);
    return widths.map((_, i) => box(frame, `b${i}`).x);
  };

  test('G-205 G-066 justify', () => {
    expect(justify('justify: center', [4])).toEqual([8]);
    expect(justify('justify: end', [4])).toEqual([16]);
    expect(justify('justify: space-between', [2, 2, 2])).toEqual([0, 9, 18]);
    expect(justify('justify: space-between', [2, 2, 2], 21)).toEqual([0, 9, 19]);
    expect(justify('justify: end; gap: 1', [4, 4])).toEqual([11, 16]);
    expect(justify('justify: start', [4])).toEqual([0]);
  });

  test('G-205 G-066 align', () => {
    const place = (align: string, height: number) =>
      box(
        draw(
          `<row style="height: 5; align: ${align}"><box id="b" width="4" height="${height}"/></row>`,
        ),
        'b',
      ).y;
    expect(place('center', 1)).toBe(2);
    expect(place('end', 2)).toBe(3);
    expect(place('start', 2)).toBe(0);
  });

  test('G-066 with an fr child nothing is left to justify', () => {
    const frame = draw('<row style="justify: end"><box id="a" width="4"/><box width="1fr"/></row>');
    expect(box(frame, 'a').x).toBe(0);
  });

  test('G-067 a child that does not fit keeps its size and is clipped', () => {
    const frame = draw(
      '<row style="width: 5"><box id="a" width="4"/><box id="b" width="4"/></row>',
    );
    expect(at(frame, 'b')).toBe('4x24@(4,0)');
    expect(box(frame, 'b').clip).toMatchObject({ x0: 4, x1: 5 });
  });
});
