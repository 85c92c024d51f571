import { describe, expect, test } from 'vitest';
import { at, box, codes, draw, findings } from '../stage.ts';

describe('docks', () => {
  test('G-206 G-070 top and bottom are cut before left and right', () => {
    const frame = draw(
      `<box id="l" style="dock: left; width: 10"/>
       <box id="t" style="dock: top; height: 2"/>
       <box id="m" style="width: 1fr; height: 1fr"/>
       <box id="b" style="dock: bottom; height: 1"/>
       <box id="r" style="dock: right; width: 25%"/>`,
    );
    expect(['t', 'b', 'l', 'r', 'm'].map((id) => at(frame, id))).toEqual([
      '80x2@(0,0)',
      '80x1@(0,23)',
      '10x21@(0,2)',
      '20x21@(60,2)',
      '50x21@(10,2)',
    ]);
  });

  test('G-207 G-070 margins and minimums of docks', () => {
    const frame = draw(
      `<text id="t" style="dock: top; margin: 1 2">one line</text>
       <text id="l" style="dock: left; min-width: 6">ab</text>
       <box id="m" style="width: 1fr; height: 1fr"/>`,
      { cols: 40, rows: 12 },
    );
    expect(['t', 'l', 'm'].map((id) => at(frame, id))).toEqual([
      '36x1@(2,1)',
      '6x9@(0,3)',
      '34x9@(6,3)',
    ]);
  });

  test('G-070 G-196 a share on the dock axis is V010 and counts as auto', () => {
    const frame = draw('<box id="d" style="dock: top; height: 1fr"><text>x</text></box>');
    expect(at(frame, 'd')).toBe('80x1@(0,0)');
    expect(codes(frame)).toEqual(['V010']);
    const across = draw('<box id="d" style="dock: top; width: 1fr"><text>x</text></box>');
    expect(codes(across)).toEqual([]);
  });

  test('G-070 the built-in shares never conflict', () => {
    const frame = draw(
      '<col id="c" style="dock: left"/><spacer id="p" style="dock: top; height: 3"/>',
    );
    expect(codes(frame)).toEqual([]);
    expect(at(frame, 'p')).toBe('80x3@(0,0)');
  });

  test('G-070 G-196 more than one bottom dock is L005 on the parent', () => {
    const frame = draw(
      '<box style="dock: bottom; height: 1"/><box style="dock: bottom; height: 1"/>',
    );
    expect(findings(frame)[0]).toMatch(
      /^warning L005 \/screen 2 children are docked to the bottom; /,
    );
  });

  test('G-070 tables, tabs and hints ignore docks', () => {
    const frame = draw(
      '<tabs id="n"><tab id="a" label="A" style="dock: bottom; height: 3"/></tabs>',
    );
    expect(box(frame, 'a').y).toBe(1);
  });
});

describe('boxes', () => {
  test('G-208 G-047 G-048 content lies inside border and padding', () => {
    const frame = draw('<box id="b" style="width: 10; height: 4; border: single; padding: 1 2"/>');
    const { cx, cy, cw, ch } = box(frame, 'b');
    expect([cx, cy, cw, ch]).toEqual([3, 2, 4, 0]);
    const tiny = draw('<box id="b" style="width: 1; height: 1; border: single; padding: 1 2"/>');
    expect(box(tiny, 'b')).toMatchObject({ cw: 0, ch: 0 });
  });

  test('G-049 margins lie outside and never collapse', () => {
    const frame = draw(
      '<box id="a" style="height: 2; margin: 1"/><box id="b" style="height: 2; margin: 1"/>',
    );
    expect(at(frame, 'a')).toBe('78x2@(1,1)');
    expect(at(frame, 'b')).toBe('78x2@(1,5)');
  });

  test('G-050 nothing is painted outside an ancestor content rect', () => {
    const frame = draw(
      '<box style="width: 4; height: 3; border: single"><text>abcdef</text></box>',
      {
        cols: 8,
        rows: 3,
      },
    );
    expect(frame.canvas.text.slice(8, 16).join('')).toBe('│ab│    ');
  });

  test('G-045 G-026 the minimum wins over the maximum', () => {
    const frame = draw('<row><box id="b" style="width: 5; max-width: 3; min-width: 9"/></row>');
    expect(box(frame, 'b').w).toBe(9);
  });

  test('G-045 auto and fr bounds do nothing', () => {
    const frame = draw(
      '<row><box id="b" style="width: 5; max-width: auto; min-width: 2fr"/></row>',
    );
    expect(box(frame, 'b').w).toBe(5);
  });

  test('G-046 flex beats the size on the main axis only', () => {
    const frame = draw(
      '<row><box id="a" style="width: 5; flex: 1; height: 2"/><box id="b" style="width: 10"/></row>',
    );
    expect(at(frame, 'a')).toBe('70x2@(0,0)');
  });

  test('G-053 direction follows layout, else the kind', () => {
    const frame = draw(
      `<box id="h" style="layout: row"><text>a</text><text id="x">b</text></box>
       <row style="layout: column; height: 2"><text>a</text><text id="y">b</text></row>`,
    );
    expect(box(frame, 'x')).toMatchObject({ x: 1, y: 0 });
    expect(box(frame, 'y').x).toBe(0);
  });
});

describe('screens and modals', () => {
  test('G-056 a screen resolves against the terminal and is capped by it', () => {
    const sized = (css: string) => at(draw('<text>x</text>', { css: `screen { ${css} }` }), 's');
    expect(sized('')).toBe('80x24@(0,0)');
    expect(sized('width: 30; height: 50%')).toBe('30x12@(0,0)');
    expect(sized('width: 300')).toBe('80x24@(0,0)');
    expect(sized('min-width: 300; max-height: 5')).toBe('80x5@(0,0)');
    expect(sized('width: 1fr')).toBe('80x24@(0,0)');
  });

  test.each([
    ['', '64x19@(8,2)'],
    ['width: 40; height: 10', '40x10@(20,7)'],
    ['width: 50%; height: 50%', '40x12@(20,6)'],
    ['width: 200; height: 100', '80x24@(0,0)'],
    ['width: auto; height: auto', '7x3@(36,10)'],
    ['width: 1fr; height: 1fr', '64x19@(8,2)'],
    ['width: 80%; max-width: 30; height: 10', '30x10@(25,7)'],
  ])('G-209 G-057 a modal with %j', (css, expected) => {
    const frame = draw(`<modal id="m" open="true" style="${css}"><text>hello</text></modal>`);
    expect(at(frame, 'm')).toBe(expected);
  });

  test('G-057 a modal is not clipped by its screen', () => {
    const frame = draw('<modal id="m" open="true" width="10" height="3"/>', {
      css: 'screen { width: 4; height: 3; border: single; }',
    });
    expect(box(frame, 'm').clip).toMatchObject({ x0: 0, x1: 4 });
  });
});

describe('leaves', () => {
  test('G-210 G-059 G-069 widgets ask for their content', () => {
    const frame = draw(
      `<row id="r" height="1">
         <input id="i" bind="v" placeholder="search here"/>
         <button id="b">OK</button>
         <button id="bb" border="1">OK</button>
         <progress id="p"/>
         <rule id="u" axis="y"/>
         <spacer id="sp"/>
       </row>`,
      { data: { v: 'abc' } },
    );
    expect(['i', 'b', 'bb', 'p', 'u', 'sp'].map((id) => box(frame, id).w)).toEqual([
      12, 6, 4, 10, 1, 47,
    ]);
  });

  test('G-069 cols and rows fill, boxes shrink to their content, texts stretch across', () => {
    const frame = draw('<col id="c"><text id="t">ab</text><box id="b"><text>x</text></box></col>');
    expect(at(frame, 'c')).toBe('80x24@(0,0)');
    expect(at(frame, 't')).toBe('80x1@(0,0)');
    expect(at(frame, 'b')).toBe('80x1@(0,1)');
  });

  test('G-059 a sparkline is as wide as its array', () => {
    const frame = draw('<row><sparkline id="k" bind="v"/></row>', { data: { v: [1, 2, 3, 4] } });
    expect(box(frame, 'k').w).toBe(4);
  });

  test('G-059 wrapped text is as tall as its lines, unwrapped text as its source lines', () => {
    const frame = draw(
      `<box width="5"><text id="w" wrap="wrap">aa bb cc</text></box>
       <text id="n">one
       two</text>`,
    );
    expect(box(frame, 'w').h).toBe(2);
    expect(box(frame, 'n').h).toBe(2);
  });
});
