import { describe, expect, test } from 'vitest';
import { BOLD, DIM, REVERSE, UNDERLINE } from '../../../src/tui/paint/canvas.ts';
import { stringWidth } from '../../../src/tui/text/graphemes.ts';
import { box, cell, draw, grid, play, stage } from '../stage.ts';

const SMALL = { cols: 10, rows: 3 };

describe('boxes', () => {
  test('G-222 G-102 G-103 border and title', () => {
    const frame = draw('<box title="Log" style="height: 3; border: single"/>', SMALL);
    expect(grid(frame)[0]).toBe('┌─ Log ──┐');
    expect(grid(frame)[2]).toBe('└────────┘');
    const wide = draw('<box title="微信信" style="width: 9; height: 3; border: single"/>', SMALL);
    expect(grid(wide)[0]!.trimEnd()).toBe('┌─ 微…──┐');
  });

  test('G-222 G-097 a wide cluster that straddles the edge is a space', () => {
    const frame = draw(
      '<box style="width: 7; height: 3; border: single"><text>ab微信</text></box>',
      SMALL,
    );
    expect(grid(frame)[1]!.trimEnd()).toBe('│ab微 │');
  });

  test.each([
    ['single', '┌─┐', '│', '└─┘'],
    ['double', '╔═╗', '║', '╚═╝'],
    ['rounded', '╭─╮', '│', '╰─╯'],
    ['thick', '┏━┓', '┃', '┗━┛'],
  ])('G-102 a %s border', (border, top, side, bottom) => {
    const frame = draw(`<box style="width: 3; height: 3; border: ${border}"/>`, {
      cols: 3,
      rows: 3,
    });
    expect(grid(frame)).toEqual([top, `${side} ${side}`, bottom]);
  });

  test('G-102 a box smaller than 2×2 keeps its border space unpainted', () => {
    const frame = draw('<box id="b" style="width: 1; height: 3; border: single"/>', SMALL);
    expect(grid(frame)[0]!.trim()).toBe('');
    expect(box(frame, 'b').cx).toBe(1);
  });

  test('G-102 G-103 colours of border and title, never an attribute', () => {
    const frame = draw(
      '<box title="T" style="width: 9; height: 3; border: single; color: red; background: blue; bold: true; reverse: true"/>',
      SMALL,
    );
    expect(cell(frame, 0, 0)).toMatchObject({ ch: '┌', fg: 'red', bg: 'blue', attributes: 0 });
    expect(cell(frame, 3, 0)).toMatchObject({ ch: 'T', fg: 'red', attributes: 0 });
    const set = draw(
      '<box title="T" style="width: 9; height: 3; border: single; border-color: green; title-color: white"/>',
      SMALL,
    );
    expect([cell(set, 0, 0).fg, cell(set, 3, 0).fg]).toEqual(['green', 'white']);
  });

  test('G-103 no title on a box narrower than 5 or without a border', () => {
    expect(
      grid(
        draw('<box title="T" style="width: 4; height: 3; border: single"/>', SMALL),
      )[0]!.trimEnd(),
    ).toBe('┌──┐');
    expect(grid(draw('<box title="T" style="height: 3"/>', SMALL))[0]!.trim()).toBe('');
  });

  test('G-100 a fill takes colours and only reverse; text on it is reversed too', () => {
    const frame = draw(
      '<box style="height: 1; reverse: true; bold: true"><text>a</text></box>',
      SMALL,
    );
    expect(cell(frame, 5, 0)).toMatchObject({ ch: ' ', attributes: REVERSE });
    expect(cell(frame, 0, 0).attributes).toBe(REVERSE | BOLD);
  });

  test('G-100 G-096 a modal without a background erases glyphs and keeps colours', () => {
    const frame = draw(
      '<text style="background: blue; underline: true">xxxxxxxxxx</text><modal open="true" style="width: 4; height: 1; border: none"/>',
      { cols: 10, rows: 1 },
    );
    expect(grid(frame)).toEqual(['xxx    xxx']);
    expect(cell(frame, 4, 0)).toMatchObject({ ch: ' ', bg: 'blue', attributes: 0 });
    expect(cell(frame, 0, 0).attributes).toBe(UNDERLINE);
  });

  test('G-101 a cell belongs to the nearest box with an id that painted or claimed it', () => {
    const frame = draw(
      '<box id="b" style="height: 2"><text id="t" width="3">abc</text><text>anonymous</text></box>',
      SMALL,
    );
    expect(cell(frame, 0, 0).owner).toBe('t');
    expect(cell(frame, 9, 1).owner).toBe('b');
    expect(cell(frame, 0, 1).owner).toBe('b');
    expect(cell(frame, 0, 2).owner).toBe('s');
  });

  test('G-052 hidden boxes keep their place; a descendant may be visible again', () => {
    const frame = draw(
      `<box id="b" style="visibility: hidden; border: single; background: red; height: 3">
         <text id="t" style="visibility: visible">on</text></box>`,
      SMALL,
    );
    expect(grid(frame)[1]!).toBe(' on       ');
    expect(cell(frame, 5, 1).bg).toBeNull();
    expect(frame.scene.boxes.map(({ id }) => id)).toEqual(['s', 'b', 't']);
  });

  test('G-051 display: none removes the subtree, and a screen of it leaves one blank node', () => {
    const frame = draw(
      '<box style="display: none"><button id="x">x</button></box><text>y</text>',
      SMALL,
    );
    expect(grid(frame)[0]!.trimEnd()).toBe('y');
    expect(frame.focus).toBeNull();
    const blank = draw('<text>x</text><modal open="true" id="m"/>', {
      ...SMALL,
      css: 'screen { display: none; }',
    });
    expect(grid(blank).join('').trim()).toBe('');
    expect(blank.scene.boxes).toHaveLength(1);
    expect(blank.scene.boxes[0]).toMatchObject({ id: null, tag: 'screen', w: 10, h: 3 });
  });
});

describe('scrollbar', () => {
  test.each([
    [100, 0, 1, 0],
    [100, 46, 1, 3],
    [100, 92, 1, 7],
    [16, 0, 4, 0],
    [16, 4, 4, 2],
    [16, 8, 4, 4],
  ])(
    'G-223 G-104 of %i rows at offset %i the thumb is %i long at %i',
    (content, offset, length, pos) => {
      const app = stage(
        '<scroll id="v" style="height: 10; border: single; scrollbar: auto"><col each="rows as r"><text>x</text></col></scroll>',
        { cols: 5, rows: 10, data: { rows: Array.from({ length: content }, (_, i) => i) } },
      );
      app.state.offsets.set('#v', { x: 0, y: offset });
      const right = grid(app.draw()).map((row) => row.at(-1)!);
      expect(right.slice(1, 9).join('')).toBe(
        '│'.repeat(pos) + '┃'.repeat(length) + '│'.repeat(8 - pos - length),
      );
    },
  );

  test('G-104 a double border has a block as thumb, and fitting content has none', () => {
    const thumb = (border: string, rows: number) => {
      const frame = draw(
        `<scroll style="height: 3; border: ${border}; scrollbar: auto"><col each="rows as r"><text>x</text></col></scroll>`,
        { ...SMALL, data: { rows: Array.from({ length: rows }, (_, i) => i) } },
      );
      return grid(frame)[1]!.at(-1);
    };
    expect(thumb('double', 5)).toBe('█');
    expect(thumb('rounded', 5)).toBe('┃');
    expect(thumb('double', 1)).toBe('║');
  });
});

describe('widgets', () => {
  const bar = (value: number, style: string) =>
    grid(
      draw(`<progress bind="v" style="${style}"/>`, { cols: 10, rows: 1, data: { v: value } }),
    )[0];

  test.each([
    [1, '▏░░░░░░░░░'],
    [12.5, '█▎░░░░░░░░'],
    [33, '███▎░░░░░░'],
    [99, '█████████▉'],
    [100, '██████████'],
    [-5, '░░░░░░░░░░'],
  ])('G-224 G-108 eighths at %d', (value, expected) => {
    expect(bar(value, 'bar: eighths')).toBe(expected);
  });

  test.each([
    [12.5, 1],
    [33, 3],
    [99, 10],
    [500, 10],
  ])('G-224 G-108 blocks at %d', (value, full) => {
    expect(bar(value, '')).toBe('█'.repeat(full) + '░'.repeat(10 - full));
  });

  test('G-108 the rest of a bar is dim', () => {
    const frame = draw('<progress value="50" style="bold: true"/>', { cols: 10, rows: 1 });
    expect([cell(frame, 0, 0).attributes, cell(frame, 9, 0).attributes]).toEqual([
      BOLD,
      BOLD | DIM,
    ]);
  });

  const spark = (values: unknown[], w: number, h: number, attributes = '') =>
    grid(
      draw(`<sparkline bind="v" ${attributes} style="height: ${h}"/>`, {
        cols: w,
        rows: h,
        data: { v: values },
      }),
    );

  test('G-225 G-109 sparklines', () => {
    expect(spark([0, 1, 4, 8, null, 9], 6, 1, 'min="0" max="8"')).toEqual([' ▁▄█ █']);
    expect(spark([3, 7, 1, 9, 4], 8, 1)).toEqual(['   ▂▆ █▃']);
    expect(spark([5, 5, 5], 3, 1)).toEqual(['▄▄▄']);
    expect(spark([0, 2, 4, 6, 8, 10, 12, 14, 16], 9, 2, 'min="0" max="16"')).toEqual([
      '     ▂▄▆█',
      ' ▂▄▆█████',
    ]);
    expect(spark([null, null], 4, 1)).toEqual(['    ']);
    expect(spark([1, 2, 3, 4], 2, 1)).toEqual([' █']);
  });

  test('G-110 sparklines of one scale share their range', () => {
    const frame = draw(
      '<sparkline bind="a" scale="g" style="height: 1"/><sparkline bind="b" scale="g" style="height: 1"/><sparkline bind="a" style="height: 1"/>',
      { version: 3, cols: 3, rows: 3, data: { a: [0, 5, 10], b: [0, 40, 80] } },
    );
    expect(grid(frame)).toEqual([' ▁▁', ' ▄█', ' ▄█']);
  });

  test('G-107 G-226 the window of an input keeps the cursor in view', () => {
    const shown = (text: string, caret: number, cols: number) => {
      const app = stage('<input id="i" bind="v"/>', {
        cols,
        rows: 1,
        data: { v: text },
        screen: 'focus="#i"',
      });
      app.state.carets.set('i', caret);
      const frame = app.draw();
      return [grid(frame)[0]!.trimEnd(), frame.cursor?.x];
    };
    expect(shown('微信微信', 4, 5)).toEqual(['微信', 4]);
    expect(shown('微信微信', 3, 5)).toEqual(['信微', 4]);
    expect(shown('微信微信', 0, 5)).toEqual(['微信', 0]);
    expect(shown('ab微', 3, 3)).toEqual(['微', 2]);
    expect(shown('', 0, 5)).toEqual(['', 0]);
  });

  test('G-107 a secret shows one bullet per cluster, a placeholder is dim', () => {
    const secret = draw('<input id="i" bind="v" secret="true"/>', {
      ...SMALL,
      data: { v: 'e\u0301微a' },
    });
    expect(grid(secret)[0]!.trimEnd()).toBe('•••');
    const empty = draw('<input id="i" bind="v" placeholder="type here please"/>', {
      ...SMALL,
      data: { v: '' },
    });
    expect(grid(empty)[0]).toBe('type here ');
    expect(cell(empty, 0, 0).attributes).toBe(DIM);
  });

  test('G-115 only a focused input places the cursor', () => {
    const body = '<input id="a" bind="v"/><button id="b">x</button>';
    const app = stage(body, { data: { v: 'ab' }, screen: 'focus="#a"' });
    expect(app.draw().cursor).toEqual({ x: 2, y: 0 });
    expect(play(app, 'tab').frame.cursor).toBeNull();
  });

  test('G-106 buttons have brackets without a border', () => {
    expect(grid(draw('<button id="b">OK</button>', SMALL))[0]!.trimEnd()).toBe('[ OK ]');
    const bordered = draw(
      '<button id="b" border="1" style="width: 6; content-align: end">OK</button>',
      SMALL,
    );
    expect(grid(bordered)[1]!.trimEnd()).toBe('│  OK│');
    expect(grid(draw('<button id="b" label="go {x}">no</button>', SMALL))[0]).toContain('[ go {x');
  });

  test('G-111 a rule ignores padding and paints over its border area', () => {
    const frame = draw('<rule style="padding: 1; height: 3; width: 4; border: single"/>', SMALL);
    expect(grid(frame)[0]!.trimEnd()).toBe('────');
    const down = draw(
      '<row height="3"><rule axis="y" style="width: 1"/><text>x</text></row>',
      SMALL,
    );
    expect(grid(down).map((row) => row.slice(0, 2))).toEqual(['│x', '│ ', '│ ']);
  });

  test('G-113 G-117 the mark of a checked row stands in its channel', () => {
    const frame = draw(
      '<list id="l" each="rows as r" key="r" checked="m" mark="*"><item><text>{r}</text></item></list>',
      { ...SMALL, data: { rows: ['a', 'b'], m: ['b'] } },
    );
    expect(
      grid(frame)
        .slice(0, 2)
        .map((row) => row.trimEnd()),
    ).toEqual(['  a', '* b']);
  });

  test('G-112 spacers and containers paint nothing of their own', () => {
    expect(grid(draw('<col><spacer/><scroll/></col>', SMALL)).join('').trim()).toBe('');
  });

  test('G-105 text is aligned line by line and cut at the right', () => {
    const frame = draw(
      '<text style="content-align: center; height: 2">abcd\nlonger than ten\nthird</text>',
      SMALL,
    );
    expect(grid(frame)).toEqual(['   abcd   ', 'longer tha', '          ']);
  });

  test('G-093 breaks inside a body stay, breaks in attributes become spaces', () => {
    const frame = draw(
      '<box title="a\nb" style="border: single; height: 3; width: 10"><text>x</text></box>',
      SMALL,
    );
    expect(grid(frame)[0]).toBe('┌─ a b ──┐');
    expect(
      grid(draw('<text>\n  one\n  two\n</text>', SMALL))
        .slice(0, 2)
        .map((row) => row.trimEnd()),
    ).toEqual(['one', 'two']);
  });
});

describe('cells', () => {
  test('G-227 G-099 rows read as one string fall into exactly their cells', () => {
    const two = draw('<row><text width="2">🇺</text><text width="2">🇸</text></row>', {
      cols: 6,
      rows: 1,
    });
    expect(grid(two)[0]).toBe('🇺    ');
    expect(stringWidth(grid(two)[0]!)).toBe(6);
    const prepend = draw('<row><text width="1">\u0600</text><text width="1">a</text></row>', {
      cols: 4,
      rows: 1,
    });
    expect(grid(prepend)[0]).toBe(' a  ');
  });

  test('G-098 overwriting half of a wide cluster leaves a space that keeps its style', () => {
    const frame = draw(
      '<text style="color: red">微信</text><modal open="true" style="width: 2; height: 1; border: none"/>',
      { cols: 4, rows: 1 },
    );
    expect(grid(frame)).toEqual(['    ']);
    expect(cell(frame, 0, 0)).toMatchObject({ ch: ' ', fg: 'red' });
  });

  test('G-097 colours change only when the writer has one', () => {
    const frame = draw(
      '<box style="background: blue; color: red; height: 1"><text>a</text></box>',
      SMALL,
    );
    expect(cell(frame, 0, 0)).toMatchObject({ fg: 'red', bg: 'blue' });
  });

  test('G-096 G-031 an unstyled document paints with the terminal colours', () => {
    const frame = draw('<text>a</text><button id="b">x</button>', SMALL);
    expect(new Set(frame.canvas.fg)).toEqual(new Set([null]));
    expect(new Set(frame.canvas.bg)).toEqual(new Set([null]));
    expect(Math.max(...frame.canvas.attributes)).toBe(0);
  });
});
