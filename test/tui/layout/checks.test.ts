import { describe, expect, test } from 'vitest';
import { box, codes, draw, findings } from '../stage.ts';

const V3 = { version: 3, cols: 10, rows: 4 } as const;

describe('clipping in v3', () => {
  test('G-196 U-127 L008: a text that loses columns or lines', () => {
    const wide = draw('<text id="t">more than ten</text>', V3);
    expect(findings(wide)[0]).toMatch(
      /^warning L008 \/screen\/text text is 13 columns wide but its content box has 10; /,
    );
    expect(box(wide, 't').clipped).toBe('text');
    const tall = draw('<text id="t" style="height: 1">a\nb</text>', V3);
    expect(findings(tall)[0]).toMatch(/ text has 2 lines but its content box has 1 rows; /);
  });

  test('G-196 L008 is quiet when the document chose, and in older documents', () => {
    expect(codes(draw('<text wrap="truncate">more than ten</text>', V3))).toEqual([]);
    expect(codes(draw('<text style="wrap: nowrap">more than ten</text>', V3))).toEqual([]);
    expect(codes(draw('<text style="height: 1; overflow: hidden">a\nb</text>', V3))).toEqual([]);
    expect(codes(draw('<text style="visibility: hidden">more than ten</text>', V3))).toEqual([]);
    expect(codes(draw('<text>more than ten</text>', { ...V3, version: 2 }))).toEqual([]);
  });

  test('G-196 U-127 L009: a container that cuts a child names it and the cells shown', () => {
    const frame = draw(
      '<box id="b" style="height: 2"><text>a</text><box id="c"><text>b</text><text>c</text><text>d</text></box></box>',
      V3,
    );
    const found = frame.diagnostics.find(({ code }) => code === 'L009')!;
    expect(found.msg).toMatch(/^cuts #c on y: 1 of 3 cells shown; /);
    expect(box(frame, 'b').clipped).toBe('children');
  });

  test('G-196 L009 is quiet beside L003, L006 and a written overflow', () => {
    const fixed = draw('<row><box width="8"/><box width="8"/></row>', V3);
    expect(codes(fixed)).toEqual(['L003']);
    expect(
      codes(
        draw(
          '<box style="height: 1; overflow: hidden"><box><text>a</text><text>b</text></box></box>',
          V3,
        ),
      ).filter((c) => c === 'L009'),
    ).toEqual([]);
    const list = '<list id="l" style="height: 9"><item><text>a</text></item></list>';
    expect(codes(draw(`<box style="height: 2%">${list}</box>`, V3))).not.toContain('L009');
  });

  test('G-196 each is told once per source element, but every node is marked', () => {
    const frame = draw('<col each="r as x"><text>{x}</text></col>', {
      ...V3,
      data: { r: ['longer than ten', 'longer than ten'] },
    });
    expect(codes(frame)).toEqual(['L008']);
    expect(frame.scene.boxes.filter(({ clipped }) => clipped === 'text')).toHaveLength(2);
  });

  test('G-196 L009 numbers siblings of one tag', () => {
    const frame = draw(
      '<row style="width: 5"><box style="width: 50%"/><box style="width: 90%"/></row>',
      V3,
    );
    expect(frame.diagnostics[0]!.msg).toMatch(/^cuts box\[1\] on x: 3 of 4 cells shown; /);
  });
});
