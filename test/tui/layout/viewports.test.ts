import { describe, expect, test } from 'vitest';
import { at, box, codes, draw, findings, play, stage } from '../stage.ts';

const rows = (n: number) => Array.from({ length: n }, (_, i) => ({ k: i, t: `row ${i}` }));
const LIST =
  '<list id="l" each="rows as r" key="r.k" bind="cur"><item><text>{r.t}</text></item></list>';

describe('auto-fit', () => {
  test.each([
    [0, 0],
    [1000, 978],
    [1999, 1977],
  ])('G-211 G-063 a list of 2000 rows fits, cursor %i gives offset %i', (cur, y) => {
    const frame = draw(`${LIST}<text id="t">end</text>`, { data: { rows: rows(2000), cur } });
    expect(at(frame, 'l')).toBe('80x23@(0,0)');
    expect(box(frame, 't').y).toBe(23);
    expect(box(frame, 'l').viewport).toMatchObject({ y, h: 2000 });
    expect(codes(frame)).toEqual([]);
  });

  test.each([
    [3, '', 3, []],
    [100, '', 9, []],
    [100, 'max-height: 4', 4, []],
    [100, 'min-height: 12', 12, ['L003', 'L006']],
    [100, 'max-height: 50%', 5, []],
  ])('G-212 a list of %i rows with %j in 10 rows', (n, css, height, expected) => {
    const frame = draw(`${LIST}<text>end</text>`, {
      cols: 20,
      rows: 10,
      data: { rows: rows(n), cur: null },
      css: css === '' ? '' : `#l { ${css} }`,
    });
    expect(box(frame, 'l').h).toBe(height);
    expect(codes(frame).sort()).toEqual(expected);
  });

  test('G-212 G-063 G-196 of two lists the first may leave nothing for the second', () => {
    const second = LIST.replace('id="l"', 'id="m"').replace('bind="cur"', '');
    const frame = draw(`${LIST}${second}<text>end</text>`, {
      cols: 20,
      rows: 10,
      data: { rows: rows(30), cur: null },
    });
    expect([box(frame, 'l').h, box(frame, 'm').h]).toEqual([9, 0]);
    expect(findings(frame)).toHaveLength(1);
    expect(findings(frame)[0]).toMatch(
      /^warning L006 \/screen\/list list gets 0 rows on its scroll axis but has content there, /,
    );
    expect(frame.diagnostics[0]!.id).toBe('m');
  });

  test('G-065 a container with a shrinkable child shrinks, a grid does not', () => {
    const inBox = draw(`<box id="b">${LIST}</box><text>end</text>`, {
      rows: 10,
      data: { rows: rows(30), cur: null },
    });
    expect(box(inBox, 'b').h).toBe(9);
    const inGrid = draw(`<box id="b" style="layout: grid">${LIST}</box><text>end</text>`, {
      rows: 10,
      data: { rows: rows(30), cur: null },
    });
    expect(box(inGrid, 'b').h).toBe(30);
  });

  test('G-062 an auto child across is capped where the parent does not scroll', () => {
    const frame = draw(`<row style="height: 5; align: start">${LIST}</row>`, {
      css: '#l { height: auto }',
      data: { rows: rows(30), cur: null },
    });
    expect(box(frame, 'l').h).toBe(5);
  });
});

describe('following the cursor', () => {
  test.each([
    [0, 0, 0],
    [2, 0, 0],
    [3, 0, 1],
    [7, 0, 5],
    [9, 0, 7],
    [2, 5, 2],
    [6, 5, 5],
  ])('G-213 G-071 cursor %i with offset %i gives %i', (cur, before, after) => {
    const app = stage(LIST, { rows: 3, data: { rows: rows(10), cur } });
    app.state.offsets.set('#l', { x: 0, y: before });
    expect(box(app.draw(), 'l').viewport?.y).toBe(after);
  });

  const TABLE =
    '<table id="t" each="rows as r" key="r.k" bind="cur"><column title="A">{r.t}</column></table>';

  test.each([
    [100, 6, 10, 0, 6],
    [100, 6, 3, 8, 3],
    [100, 6, 50, 48, 48],
    [3, 6, 2, 9, 0],
    [100, 1, 50, 7, 7],
  ])(
    'G-214 G-075 a table of %i rows in %i, cursor %i, offset %i gives %i',
    (n, h, cur, before, after) => {
      const app = stage(TABLE, { rows: h, data: { rows: rows(n), cur } });
      app.state.offsets.set('#t', { x: 0, y: before });
      expect(box(app.draw(), 't').viewport?.y).toBe(after);
    },
  );
});

describe('viewports', () => {
  test('G-054 a scroll takes its axes from axis, others scroll on y only', () => {
    const axes = (body: string) => {
      const { scrollsX, scrollsY } = box(draw(body), 'v').viewport!;
      return [scrollsX, scrollsY];
    };
    expect(axes('<scroll id="v"/>')).toEqual([false, true]);
    expect(axes('<scroll id="v" axis="x"/>')).toEqual([true, false]);
    expect(axes('<scroll id="v" axis="both"/>')).toEqual([true, true]);
    expect(axes('<box id="v" style="overflow: scroll"/>')).toEqual([false, true]);
    expect(axes('<list id="v"/>')).toEqual([false, true]);
    expect(
      box(draw('<tabs id="v" style="overflow: scroll"><tab id="a" label="A"/></tabs>'), 'v')
        .viewport,
    ).toBeNull();
  });

  test('G-058 a viewport without children has its content box as extent', () => {
    expect(box(draw('<scroll id="v" style="height: 7"/>'), 'v').viewport).toMatchObject({
      x: 0,
      y: 0,
      h: 7,
    });
  });

  test('G-071 G-158 children are laid out in a virtual rect behind the content', () => {
    const app = stage(
      '<scroll id="v" focusable="true" style="height: 2"><text id="a">a</text><text id="b">b</text><text id="c">c</text></scroll>',
      { rows: 5 },
    );
    const { frame } = play(app, 'down', 'down', 'down');
    expect(box(frame, 'v').viewport).toMatchObject({ y: 1, h: 3 });
    expect([box(frame, 'a').y, box(frame, 'b').y, box(frame, 'c').y]).toEqual([-1, 0, 1]);
  });

  test('G-070 docks of a viewport scroll with its content', () => {
    const app = stage(
      '<scroll id="v" focusable="true" style="height: 2"><text id="d" style="dock: top">d</text><text>a</text><text>b</text></scroll>',
    );
    expect(box(play(app, 'down').frame, 'd').y).toBe(-1);
  });

  test('G-063 G-196 a share inside a viewport is L001 when the document wrote it', () => {
    const frame = draw(
      '<scroll id="v"><box id="b" style="height: 2fr"><text>x</text></box><spacer/><col/></scroll>',
    );
    expect(findings(frame)).toHaveLength(1);
    expect(findings(frame)[0]).toMatch(
      /^error L001 \/screen\/scroll\/box height: 2fr inside a scrolling scroll has no leftover to share; /,
    );
    expect(box(frame, 'b').h).toBe(1);
  });

  test('G-062 G-063 G-196 a percent of a parent sized by its content is L002', () => {
    const frame = draw('<box id="p"><box id="b" style="height: 50%"><text>x</text></box></box>');
    expect(codes(frame)).toEqual(['L002']);
    expect(findings(frame)[0]).toMatch(
      / height: 50% is a percent of a parent sized by its content \(auto\); /,
    );
    expect(box(frame, 'b').h).toBe(1);
  });

  test('G-196 a viewport that sticks out of an ancestor that does not scroll is L006', () => {
    const frame = draw(
      '<box style="height: 3"><scroll id="v" style="height: 9"><text>x</text></scroll></box>',
    );
    expect(findings(frame).filter((text) => text.includes('L006'))[0]).toMatch(
      /scroll is clipped on y by box, which does not scroll, /,
    );
  });
});

describe('stick', () => {
  const LOG =
    '<scroll id="log" stick="bottom" focusable="true" style="height: 3"><col each="lines as l"><text>{l}</text></col></scroll>';
  const lines = (n: number) => JSON.stringify(Array.from({ length: n }, (_, i) => `l${i}`));
  const offset = (app: ReturnType<typeof stage>, ...steps: string[]) =>
    box(play(app, ...steps).frame, 'log').viewport?.y;
  const log = (n: number) => stage(LOG, { version: 3, data: { lines: JSON.parse(lines(n)) } });

  test('G-072 the first frame shows the end and growth is followed', () => {
    expect(offset(log(5))).toBe(2);
    expect(offset(log(5), `set:lines=${lines(8)}`)).toBe(5);
    expect(offset(log(1), `set:lines=${lines(8)}`)).toBe(5);
  });

  test('G-072 away from the end the offset stays, back at the end it follows again', () => {
    expect(offset(log(5), 'up', `set:lines=${lines(8)}`)).toBe(1);
    expect(offset(log(5), 'up', 'end', `set:lines=${lines(8)}`)).toBe(5);
  });

  test('G-186 a snapshot at another size changes nothing', () => {
    const app = log(8);
    app.draw();
    const before = structuredClone([...app.state.offsets, ...app.state.stickEnds]);
    expect(box(app.snapshot(20, 2), 'log').viewport?.y).toBe(5);
    expect([...app.state.offsets, ...app.state.stickEnds]).toEqual(before);
  });
});

describe('measuring', () => {
  test('G-060 G-061 an auto parent wraps its children, fr children by their content', () => {
    const frame = draw(
      `<row style="align: start"><box id="b" style="width: auto; layout: row; gap: 1">
         <box id="f" style="width: 1fr"><text>abc</text></box><text>de</text>
       </box></row>`,
    );
    expect(box(frame, 'b').w).toBe(6);
    expect(box(frame, 'f').w).toBe(3);
  });

  test('G-060 docks add along their axis and widen across it', () => {
    const frame = draw(
      `<box id="b"><text style="dock: top">a long header</text>
         <text style="dock: left">side</text><text>x</text><text>y</text><text>z</text></box>`,
    );
    expect(box(frame, 'b').h).toBe(4);
  });

  test('G-060 text in a row is measured at the width the row gives it', () => {
    const frame = draw(
      '<box id="b" style="width: 10; layout: row"><text width="4">key:</text><text width="1fr" wrap="wrap">one two</text></box>',
    );
    expect(box(frame, 'b').h).toBe(2);
  });

  test('G-068 G-022 a v3 document reads the two gaps apart, others one', () => {
    const body = '<box style="gap: 1; row-gap: 3"><text id="a">a</text><text id="b">b</text></box>';
    expect(box(draw(body, { version: 3 }), 'b').y).toBe(4);
    const sides =
      '<row style="gap: 1; column-gap: 3"><text id="a">a</text><text id="b">b</text></row>';
    expect(box(draw(sides, { version: 3 }), 'b').x).toBe(4);
    expect(box(draw(sides.replace('column-gap: 3', ''), { version: 2 }), 'b').x).toBe(2);
  });
});
