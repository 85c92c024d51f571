import { describe, expect, test } from 'vitest';
import { parseDeclaration } from '../../../src/tui/style/declaration.ts';
import { staticDockConflicts } from '../../../src/tui/style/static-checks.ts';
import { tokenTable } from '../../../src/tui/style/tokens.ts';
import { box, cell, codes, draw, findings, grid, play, stage } from '../stage.ts';

const color = (frame: ReturnType<typeof draw>, id: string) => box(frame, id).style.color;

describe('order', () => {
  test('G-018 a presentational attribute loses to any author rule, style="" wins over both', () => {
    const css = 'box { width: 5; } #b { height: 2; }';
    const frame = draw(
      '<row><box id="a" width="9"/><box id="b" height="9" style="height: 3"/></row>',
      { css },
    );
    expect(box(frame, 'a').w).toBe(5);
    expect(box(frame, 'b').h).toBe(3);
  });

  test('G-019 G-020 specificity, then order of appearance, over all sheets', () => {
    const css =
      '.k { color: red; } #a { color: blue; } .k { color: green; } text { color: white; }';
    const frame = draw('<text id="a" class="k">a</text><text id="b" class="k">b</text>', { css });
    expect([color(frame, 'a'), color(frame, 'b')]).toEqual(['blue', 'green']);
  });

  test('G-017 ten classes are as strong as one id', () => {
    const ten = '.a.b.c.d.e.f.g.h.i.j';
    const css = `#x { color: red; } ${ten} { color: blue; }`;
    expect(color(draw('<text id="x" class="a b c d e f g h i j">x</text>', { css }), 'x')).toBe(
      'blue',
    );
  });

  test('G-021 a list counts with its strongest matching selector', () => {
    const css = 'text, #a { color: red; } .k { color: blue; }';
    const frame = draw('<text id="a" class="k">a</text><text id="b" class="k">b</text>', { css });
    expect([color(frame, 'a'), color(frame, 'b')]).toEqual(['red', 'blue']);
  });

  test('G-014 types compare kinds, and > goes up one parent', () => {
    const css =
      'screen > col > text { color: red; } screen > modal { color: blue; } hints > row > text.hint-key { bold: true; }';
    const frame = draw(
      '<col><text id="a">a</text></col><text id="b">b</text><modal id="m" open="true"/>',
      { css },
    );
    expect([color(frame, 'a'), color(frame, 'b'), color(frame, 'm')]).toEqual([
      'red',
      null,
      'blue',
    ]);
  });

  test('G-024 presentational attributes become declarations', () => {
    const frame = draw(
      '<box id="b" width="20" height="4" gap="2" pad="1 2" border="1"/><text id="t" wrap="wrap">x</text>',
    );
    expect(box(frame, 'b').style).toMatchObject({
      gap: 2,
      padding: [1, 2, 1, 2],
      border: 'single',
    });
    expect(box(frame, 'b').w).toBe(20);
    expect(box(frame, 't').style.wrap).toBe('wrap');
    expect(box(draw('<box id="b" border="0" style="border: none"/>'), 'b').style.border).toBe(
      'none',
    );
  });

  test('G-027 G-028 inherited properties come down, with the marker of wrap', () => {
    const frame = draw(
      '<box style="color: red; bold: true; wrap: wrap; background: blue"><text id="t">x</text></box>',
    );
    expect(box(frame, 't').style).toMatchObject({
      color: 'red',
      bold: true,
      wrap: 'wrap',
      isWrapWritten: true,
      background: null,
      isWidthBuiltin: true,
    });
    const cells = draw('<table id="t" each="r as x"><column>{x}</column></table>', {
      data: { r: ['a'] },
    });
    expect(box(cells, 't').children[0]!.children[0]!.style).toMatchObject({
      wrap: 'truncate',
      isWrapWritten: false,
    });
  });

  test('G-009 media conditions are tested against the frame', () => {
    const css =
      '@media (max-cols: 40) { text { color: red; } } @media (min-rows: 10) { text { bold: true; } }';
    const at = (cols: number, rows: number) =>
      box(draw('<text id="t">x</text>', { css, cols, rows }), 't').style;
    expect(at(40, 10)).toMatchObject({ color: 'red', bold: true });
    expect(at(41, 9)).toMatchObject({ color: null, bold: false });
  });

  test('G-022 gap counts as both longhands with its own strength', () => {
    const style = (css: string) => box(draw('<box id="b"/>', { css, version: 3 }), 'b').style;
    expect(style('box { row-gap: 3; } #b { gap: 1; }')).toMatchObject({
      rowGap: 1,
      columnGap: 1,
      gap: 1,
    });
    expect(style('#b { row-gap: 3; } box { gap: 1; }')).toMatchObject({
      rowGap: 3,
      columnGap: 1,
      gap: 1,
    });
  });
});

describe('states', () => {
  test('G-015 :focus and :focus-within, through a modal up to the screen', () => {
    const css = ':focus { bold: true; } :focus-within { italic: true; }';
    const frame = draw('<col id="c"><button id="b">x</button></col><button id="o">y</button>', {
      css,
    });
    expect(box(frame, 'b').style).toMatchObject({ bold: true, italic: true });
    expect(box(frame, 'c').style).toMatchObject({ bold: false, italic: true });
    expect(box(frame, 's').style.italic).toBe(true);
    const modal = draw('<modal id="m" open="true"><button id="b">x</button></modal>', { css });
    expect(box(modal, 's').hasFocusWithin).toBe(true);
  });

  test('G-015 :selected, :checked and :disabled', () => {
    const css =
      'item:selected { italic: true; } item:checked { bold: true; } :disabled { dim: true; }';
    const frame = draw(
      `<list id="l" each="r as x" key="x" bind="cur" checked="m"><item><text>{x}</text></item></list>
       <box disabled="true"><text id="d">x</text></box>
       <tabs id="n" disabled="true"><tab id="t" label="T"/></tabs>`,
      { css, data: { r: ['a', 'b'], cur: 'b', m: ['a'] } },
    );
    const [a, b] = box(frame, 'l').children;
    expect([a!.style.bold, a!.style.italic, b!.style.bold, b!.style.italic]).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(box(frame, 'd').style.dim).toBe(true);
    expect(box(frame, 'n').children[0]!.style.dim).toBe(true);
  });

  test('G-016 :empty looks at the box as it is when its style is computed', () => {
    const css = ':empty { bold: true; }';
    const frame = draw(
      `<box id="e"/><box id="f"><text id="t">x</text></box><text id="z"/>
       <hints id="h"/><spacer id="p"/><progress id="g"/>
       <table id="b" each="r as x"><column>{x}</column></table>
       <tabs id="n"><tab id="a" label="A"/></tabs>`,
      {
        css,
        data: { r: [] },
        beside: '<keymap><bind keys="q" action="quit" label="quit"/></keymap>',
      },
    );
    const bold = (id: string) => box(frame, id).style.bold;
    expect(['e', 'f', 't', 'z', 'h', 'p', 'g', 'b', 'a'].map(bold)).toEqual([
      true,
      false,
      false,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('G-031 only the cursor row has a look of its own', () => {
    const frame = draw('<list id="l" each="r as x" key="x"><item><text>{x}</text></item></list>', {
      cols: 4,
      rows: 3,
      data: { r: ['a', 'b'] },
    });
    expect([cell(frame, 3, 0).attributes, cell(frame, 3, 1).attributes]).toEqual([16, 0]);
  });
});

describe('tokens', () => {
  test('G-032 G-033 the theme gives the tokens; only light is light', () => {
    const paint = (root: string, theme: 'dark' | 'light' | null = null) => {
      const frame = draw('<text id="t" style="color: $fg; background: $accent">x</text>', {
        root,
        theme,
      });
      return [frame.theme, color(frame, 't'), box(frame, 't').style.background];
    };
    expect(paint('')).toEqual(['dark', '#e6edf3', 'cyan']);
    expect(paint('theme="auto"')).toEqual(['dark', '#e6edf3', 'cyan']);
    expect(paint('theme="light"')).toEqual(['light', '#1f2328', 'blue']);
    expect(paint('theme="light"', 'dark')).toEqual(['dark', '#e6edf3', 'cyan']);
    expect([...tokenTable([], { theme: 'dark' })]).toHaveLength(10);
    expect(tokenTable([], { theme: 'light' }).get('panel')).toBe('#f6f8fa');
  });

  test('G-033 G-141 the host theme beats the flag and the document', () => {
    const app = stage('<text>x</text>', { root: 'theme="dark"', theme: 'dark' });
    expect(play(app, 'set:@theme="light"').frame.theme).toBe('light');
  });

  test('G-034 G-036 :root definitions replace tokens in order, whatever their strength', () => {
    const css =
      ':root { --fg: red; } @media (max-cols: 10) { :root { --fg: blue; } } :root { --own: green; }';
    const at = (cols: number) =>
      color(draw('<text id="t" style="color: $fg">x</text>', { css, cols }), 't');
    expect([at(80), at(10)]).toEqual(['red', 'blue']);
    expect(color(draw('<text id="t" style="color: var(--own)">x</text>', { css }), 't')).toBe(
      'green',
    );
  });

  test('G-023 U-116 an unknown token applies nothing and is told once', () => {
    const css = 'text { color: red; } #t { color: $nope; }';
    const frame = draw('<text id="t">x</text>', { css });
    expect(color(frame, 't')).toBe('red');
    expect(findings(frame)).toEqual(['error V003 color: unknown token $nope']);
  });

  test('G-023 G-035 a token that this frame leaves undefined is told by the frame only', () => {
    const css = '@media (max-cols: 10) { :root { --narrow: red; } } text { color: $narrow; }';
    expect(codes(draw('<text>x</text>', { css, cols: 80 }))).toEqual(['V003']);
    expect(codes(draw('<text>x</text>', { css, cols: 10 }))).toEqual([]);
  });

  test('G-035 every rule and every style attribute is checked, rendered or not', () => {
    const css =
      '@media (max-cols: 1) { box { color: $a; } } @media (theme: light) { :root { --b: red; } } rule { color: $b; }';
    const frame = draw('<text if="never" style="color: $c">x</text>', {
      css,
      data: { never: false },
    });
    expect(findings(frame).map((text) => text.slice(-2))).toEqual(['$a', '$b', '$c']);
  });

  test('G-039 dim is only a flag, colours are never mixed', () => {
    const frame = draw('<text style="color: #010203; dim: true">x</text>', { cols: 2, rows: 1 });
    expect(cell(frame, 0, 0)).toMatchObject({ fg: '#010203', attributes: 2 });
    expect(grid(frame)).toEqual(['x ']);
  });
});

describe('static checks', () => {
  test('U-128 G-070 dock conflicts are found in what no frame shows', () => {
    const app = stage(
      '<modal id="m"><box id="d" style="dock: top; height: 2fr"/></modal><tabs id="n"><tab id="t" label="T" style="dock: top"/></tabs>',
    );
    const frame = { theme: 'dark', cols: 80, rows: 24 } as const;
    const found = staticDockConflicts(app.document, app.drawing.sheets, frame);
    expect(found.map(({ code, id }) => `${code} ${id}`)).toEqual(['V010 d']);
  });

  test('U-113 a declaration is checked alone', () => {
    const at = { file: 'a', line: 1, col: 2 };
    expect(parseDeclaration('gap', '2', 1, at)).toEqual({
      declaration: { property: 'gap', value: 2, text: '2', ...at },
    });
    expect(parseDeclaration('layout', 'grid', 1, at)).toEqual({
      error: 'layout: value "grid" (want column | row) (requires version="2")',
    });
  });
});
