import { describe, expect, test } from 'vitest';
import { gridColumnCount, gridColumnWidths } from '../../../src/tui/layout/grid-columns.ts';
import { at, box, codes, draw, findings, grid, play, stage } from '../stage.ts';

describe('grid', () => {
  test.each([
    [4, 22, 1, 38, '38'],
    [4, 22, 1, 78, '25 25 26'],
    [4, 22, 1, 118, '28 28 28 31'],
    [3, 8, 1, 20, '9 10'],
    [3, 8, 1, 30, '9 9 10'],
    [3, null, 2, 20, '5 5 6'],
    [2, 50, 0, 10, '10'],
    [2, null, 4, 2, '0 0'],
  ])(
    'G-215 G-073 %i columns of at least %s, gap %i, width %i',
    (most, min, gap, width, expected) => {
      const columns = gridColumnCount({ gridColumns: most, gridMinWidth: min }, width, gap);
      expect(gridColumnWidths(columns, width, gap).join(' ')).toBe(expected);
    },
  );

  test('G-073 rows are as tall as their tallest child and children fill them', () => {
    const frame = draw(
      `<box style="layout: grid; grid-columns: 2; gap: 1; width: 21">
         <text id="a">a</text><box id="b" style="height: 3"/><text id="c">c</text></box>`,
    );
    expect(at(frame, 'a')).toBe('10x3@(0,0)');
    expect(at(frame, 'b')).toBe('10x3@(11,0)');
    expect(at(frame, 'c')).toBe('10x1@(0,4)');
  });

  test('G-073 align places a shorter child, justify does nothing', () => {
    const placed = (align: string) =>
      at(
        draw(
          `<box style="layout: grid; grid-columns: 2; width: 20; align: ${align}; justify: end">
             <text id="a">a</text><box style="height: 4"/></box>`,
        ),
        'a',
      );
    expect(placed('start')).toBe('10x1@(0,0)');
    expect(placed('center')).toBe('10x1@(0,1)');
    expect(placed('end')).toBe('10x1@(0,3)');
  });

  test.each([
    ['width: 5', 'width: 5'],
    ['min-width: 5', 'min-width: 5'],
    ['flex: 2', 'flex: 2'],
    ['height: 2fr', 'height: 2fr'],
    ['height: 50%; max-width: 9', 'max-width: 9'],
  ])('G-073 G-196 a grid says that it ignores %j', (css, named) => {
    const frame = draw(`<box id="g" style="layout: grid"><box style="${css}"/></box>`);
    expect(findings(frame)[0]).toContain(
      `${named} is ignored in a layout: grid container (box#g); `,
    );
    expect(codes(frame)).toEqual(['L007']);
  });

  test('G-055 G-053 only some kinds can be grids', () => {
    const frame = draw(
      '<list id="l" style="layout: grid; grid-columns: 2"><item id="a"><text>a</text></item><item id="b"><text>b</text></item></list>',
    );
    expect(box(frame, 'b')).toMatchObject({ x: 0, y: 1 });
    const app = draw(
      '<row style="layout: grid; grid-columns: 2"><text>a</text><text id="b">b</text></row>',
    );
    expect(box(app, 'b')).toMatchObject({ x: 40, y: 0 });
  });

  test('G-074 a grid measures its rows at the given width, and its width by its widest child', () => {
    const frame = draw(
      `<row style="align: start"><box id="g" style="layout: grid; grid-columns: 2; gap: 1; width: auto; height: auto">
         <text>abc</text><text>de</text><text>f</text></box></row>`,
    );
    expect(at(frame, 'g')).toBe('7x3@(0,0)');
  });
});

describe('table', () => {
  const table = (columns: string, data: object, attributes = '', css = '', options = {}) =>
    draw(`<table id="t" each="rows as r" ${attributes} style="${css}">${columns}</table>`, {
      data,
      ...options,
    });
  const shown = (frame: ReturnType<typeof draw>) =>
    box(frame, 't').table!.shown.map(({ x, w }) => `${w}@${x}`);

  test('G-216 G-076 columns share what fixed and measured ones leave', () => {
    const frame = table(
      '<column title="A" width="5">{r}</column><column title="B" width="1fr">{r}</column><column title="C">{r}</column>',
      { rows: ['abcd'] },
      'gap="1"',
      'width: 30',
    );
    expect(shown(frame)).toEqual(['5@0', '19@6', '4@26']);
  });

  test('G-216 G-075 G-117 the mark channel comes off the width and shifts the columns', () => {
    const frame = table(
      '<column title="A" width="50%">{r}</column><column title="B" width="1fr">{r}</column>',
      { rows: ['x'], marks: [] },
      'key="k" checked="marks" mark="▸▸"',
      'width: 29',
    );
    expect(shown(frame)).toEqual(['13@3', '13@16']);
  });

  test('G-216 G-076 measured columns never shrink', () => {
    const frame = table(
      '<column title="A">{r.a}</column><column title="B">{r.b}</column>',
      { rows: [{ a: 'x'.repeat(25), b: 'y'.repeat(10) }] },
      'gap="2"',
      'width: 30',
    );
    expect(shown(frame)).toEqual(['25@0', '10@27']);
    expect(codes(frame)).not.toContain('L003');
  });

  test('G-076 the measure counts every row, visible or not, and the title', () => {
    const frame = table(
      '<column title="Head">{r}</column>',
      { rows: ['a', 'b', 'longer'] },
      '',
      '',
      { rows: 2 },
    );
    expect(shown(frame)).toEqual(['6@0']);
  });

  const FIVE = ['', 'priority="3"', 'priority="1"', 'priority="2"', 'priority="1"']
    .map((p, i) => `<column id="c${i}" title="T" width="18" ${p}>{r}</column>`)
    .join('');
  const visible = (width: number) => {
    const frame = table(FIVE, { rows: ['x'] }, 'gap="1"', `width: ${width}`, {
      version: 3,
      cols: 200,
    });
    return { ids: box(frame, 't').table!.shown.map(({ column }) => column.id), frame };
  };

  test('G-217 G-077 columns hide by priority, the last one first on a tie', () => {
    expect(visible(80).ids).toEqual(['c0', 'c1', 'c2', 'c3']);
    expect(visible(40).ids).toEqual(['c0', 'c1']);
    const { ids, frame } = visible(10);
    expect(ids).toEqual(['c0']);
    expect(box(frame, 'c0').w).toBe(18);
    expect(codes(frame)).toContain('L003');
    expect(findings(frame).find((text) => text.includes('L003'))).toContain(
      'the widths and min-widths of the visible columns need 18 cells but the table has 10; ',
    );
  });

  test('G-217 G-078 the intrinsic width counts hidden columns', () => {
    const frame = draw(
      `<row style="align: start"><table id="t" each="rows as r" gap="1" style="width: auto; height: auto">${FIVE}</table></row>`,
      { version: 3, cols: 200, data: { rows: ['x'] } },
    );
    expect(at(frame, 't')).toBe('94x2@(0,0)');
  });

  test('G-077 a priority larger than any integer is the largest', () => {
    const frame = table(
      '<column id="a" width="6" title="A" priority="99999999999999999999">{r}</column><column id="b" width="6" title="B" priority="5">{r}</column>',
      { rows: ['x'] },
      '',
      'width: 8',
      { version: 3 },
    );
    expect(box(frame, 't').table!.shown.map(({ column }) => column.id)).toEqual(['a']);
  });

  test('G-075 the header exists when any column has a title, even an empty one', () => {
    expect(
      box(table('<column title="">{r}</column>', { rows: ['x'] }), 't').table!.headerRows,
    ).toBe(1);
    expect(box(table('<column>{r}</column>', { rows: ['x'] }), 't').table!.headerRows).toBe(0);
  });

  test('G-075 G-051 rows in view are generated, a column that is display: none is gone', () => {
    const frame = table(
      '<column id="a" title="A" width="3">{r}</column><column id="b" title="B" width="3">{r}</column>',
      { rows: ['x', 'y', 'z'] },
      '',
      'height: 3',
      { css: '#a { display: none; }' },
    );
    const rows = box(frame, 't').children.filter(({ role }) => role === 'table-row');
    expect(rows).toHaveLength(2);
    expect(rows[0]!.children.map(({ text }) => text)).toEqual(['x']);
    expect(() => box(frame, 'a')).toThrow();
  });

  test('G-231 rules on a column style the header only, rows give their style to the cells', () => {
    const frame = table(
      '<item class="row" class:odd="r.odd"/><column id="a" class="num" title="A" width="3" style="bold: true" class:hot="r.hot">{r.v}</column>',
      { rows: [{ v: 1, odd: true, hot: true }] },
      '',
      '',
      { css: 'table > item.odd { italic: true; } #a { underline: true; }' },
    );
    const header = box(frame, 'a');
    expect(header.style).toMatchObject({ bold: true, underline: true, italic: false });
    expect(header.classes).toEqual(['num']);
    const row = box(frame, 't').children.at(-1)!;
    expect(row.classes).toEqual(['row', 'odd']);
    expect(row.children[0]!.classes).toEqual(['num', 'hot']);
    expect(row.children[0]!.style).toMatchObject({ bold: false, underline: false, italic: true });
  });

  test('G-231 missing paths are told once per template, whatever is in view', () => {
    const rows = Array.from({ length: 50 }, () => ({ v: 1 }));
    const body = '<column title="A" class:hot="r.hot">{r.v}{r.gone}</column>';
    const frame = table(body, { rows }, '', 'height: 2');
    expect(codes(frame).filter((code) => code !== 'B006')).toEqual(['B002', 'B003']);
  });

  test('G-078 G-114 a table without rows is as tall and wide as its placeholder', () => {
    const frame = draw(
      '<row style="align: start"><table id="t" each="rows as r" placeholder="no results" style="width: auto; height: auto"><column title="A" width="4">{r}</column></table></row>',
      { data: { rows: [] } },
    );
    expect(at(frame, 't')).toBe('10x2@(0,0)');
    expect(grid(frame)[1]!.trimEnd()).toBe('no results');
  });

  test('G-105 a cell shows one line, cut with an ellipsis', () => {
    const frame = table('<column width="4">{r}</column>', { rows: ['abcdef'] }, '', '', {
      css: 'table { wrap: wrap; }',
    });
    expect(grid(frame)[0]!.trimEnd()).toBe('abc…');
  });
});

describe('tab strip', () => {
  const strip = (cols: number, view = 'p') =>
    draw(
      `<tabs id="n" bind="view" mark="▸" gap="2">
         <tab id="o" label="1 overview" short="1 ovr"/>
         <tab id="p" label="7 processes" short="7 proc"/>
         <tab id="s2" label="8 settings" short="8 cfg"/></tabs>`,
      { cols, rows: 3, data: { view } },
    );
  const labels = (cols: number) =>
    box(strip(cols), 'n')
      .children.filter(({ role }) => role === 'tab-label')
      .map(({ x, w, text }) => `${text} ${w}@${x}`);

  test('G-218 G-079 full labels while they fit, then short ones', () => {
    const full = ['1 overview 11@0', '7 processes 12@13', '8 settings 11@27'];
    const short = ['1 ovr 6@0', '7 proc 7@8', '8 cfg 6@17'];
    expect(labels(40)).toEqual(full);
    expect(labels(38)).toEqual(full);
    expect(labels(37)).toEqual(short);
    expect(labels(23)).toEqual(short);
  });

  test('G-218 G-079 then only the active one, cut at last', () => {
    expect(labels(22)).toEqual(['‹ 7 processes › 16@0']);
    expect(labels(12)).toEqual(['‹ 7 proc › 11@0']);
    expect(labels(8)).toEqual(['‹ 7 pr… 8@0']);
    expect(labels(1)).toEqual([' 1@0']);
  });

  test('G-079 the active tab fills what is below the strip, whatever its own size says', () => {
    const frame = draw(
      '<tabs id="n"><tab id="a" label="A" style="width: 3; height: 1; margin: 1"/></tabs>',
      {
        css: '#n { height: 6; }',
      },
    );
    expect(at(frame, 'a')).toBe('80x5@(0,1)');
  });

  test('G-080 tabs measure the strip and the active tab', () => {
    const frame = draw(
      '<row style="align: start"><tabs id="n" style="width: auto; height: auto"><tab id="a" label="A"><text>one two</text><text>three</text></tab></tabs></row>',
    );
    expect(at(frame, 'n')).toBe('7x3@(0,0)');
  });

  test('G-125 G-079 v3 labels are resolved each frame and can change the tier', () => {
    const app = stage(
      '<tabs id="n" gap="1"><tab id="a" label="inbox {n}" short="in"/><tab id="b" label="{gone}"/></tabs>',
      { version: 3, cols: 10, rows: 2, data: { n: 1 } },
    );
    const texts = (frame: ReturnType<typeof draw>) =>
      box(frame, 'n').children.map(({ text }) => text);
    const first = app.draw();
    expect(texts(first).slice(0, 2)).toEqual(['inbox 1', '']);
    expect(codes(first)).toEqual(['B003']);
    expect(texts(play(app, 'set:n=100000').frame).slice(0, 1)).toEqual(['in']);
  });
});

describe('hints', () => {
  const KEYS =
    '<keymap><bind keys="q" action="quit" label="quit"/><bind keys="a" action="add" label="add one"/></keymap>';

  test('G-081 items stand side by side, and one that does not fit is left out', () => {
    const row = (cols: number) =>
      grid(draw('<hints id="h"/>', { beside: KEYS, cols, rows: 1 }))[0]!.trimEnd();
    expect(row(40)).toBe('q quit  a add one');
    expect(row(17)).toBe('q quit  a add one');
    expect(row(16)).toBe('q quit');
  });

  test('G-081 G-082 in a column they stack, and a hints never shrinks', () => {
    const frame = draw('<hints id="h" style="layout: column; gap: 0"/>', { beside: KEYS, rows: 5 });
    expect(at(frame, 'h')).toBe('80x2@(0,0)');
    const narrow = draw('<row><hints id="h" style="width: auto"/><text>x</text></row>', {
      beside: KEYS,
      cols: 10,
    });
    expect(box(narrow, 'h').w).toBe(17);
  });
});
