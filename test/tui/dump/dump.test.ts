import { describe, expect, test } from 'vitest';
import { dumpFrame, gridRows } from '../../../src/tui/dump/dump.ts';
import { dumpText } from '../../../src/tui/dump/text.ts';
import { requestFocus } from '../../../src/tui/interact/focus-request.ts';
import { compactJson, printJson } from '../../../src/tui/json/print.ts';
import { stringWidth } from '../../../src/tui/text/graphemes.ts';
import { box, draw, grid, play, stage } from '../stage.ts';

const PLAIN = { cells: false, styles: false };
const members = (value: object) =>
  Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .map(([k]) => k);

describe('json', () => {
  test('G-176 members in order, the optional ones only when asked for or needed', () => {
    const frame = draw('<text>ab</text>', { cols: 3, rows: 1 });
    expect(members(dumpFrame(frame, PLAIN))).toEqual([
      'cols',
      'rows',
      'ok',
      'focus',
      'errors',
      'nodes',
      'grid',
    ]);
    const wide = draw('<text>微</text>', { cols: 3, rows: 1 });
    expect(members(dumpFrame(wide, { cells: true, styles: true }))).toEqual([
      'cols',
      'rows',
      'ok',
      'focus',
      'errors',
      'nodes',
      'grid',
      'wide',
      'cells',
      'theme',
      'styles',
    ]);
  });

  test('G-177 a finding leaves out what is not known', () => {
    const frame = draw('<text id="t">{a}</text>', { css: 'x { }' });
    const [sheet, bind] = dumpFrame(frame, PLAIN).errors as object[];
    expect(members(sheet!)).toEqual(['severity', 'code', 'msg', 'file', 'line', 'col']);
    expect(members(bind!)).toEqual([
      'severity',
      'code',
      'msg',
      'file',
      'line',
      'col',
      'path',
      'id',
    ]);
    expect(dumpFrame(frame, PLAIN).ok).toBe(false);
  });

  test('G-178 node members in order', () => {
    const frame = draw(
      '<list id="l" each="r as x" key="x" bind="cur" checked="m" class="k"><item class="row"><text>{x}</text></item></list>',
      { data: { r: ['a'], cur: 'a', m: ['a'] } },
    );
    const nodes = dumpFrame(frame, PLAIN).nodes as object[];
    expect(nodes.map(members)).toEqual([
      ['id', 'tag', 'x', 'y', 'w', 'h'],
      ['id', 'tag', 'x', 'y', 'w', 'h', 'focused', 'scroll', 'classes'],
      ['tag', 'x', 'y', 'w', 'h', 'key', 'selected', 'classes', 'checked'],
      ['tag', 'x', 'y', 'w', 'h', 'text'],
    ]);
  });

  test('G-178 texts: labels without brackets, titles, tier texts, bullets', () => {
    const frame = draw(
      `<button id="b">go</button><input id="i" bind="v" secret="true"/>
       <table id="t" each="r as x"><column id="c" title="Head">{x}</column></table>
       <tabs id="n"><tab id="a" label="long label" short="sh"/><tab id="z" label="another" short="an"/></tabs>`,
      { data: { v: 'abc', r: [1] }, cols: 12 },
    );
    const nodes = dumpFrame(frame, PLAIN).nodes as {
      id?: string;
      tag: string;
      text?: string;
      key?: string;
    }[];
    const text = (id: string) => nodes.find((node) => node.id === id)?.text;
    expect([text('b'), text('i'), text('c')]).toEqual(['go', '•••', 'Head']);
    expect(
      nodes.filter((node) => node.key === 'a' || node.key === 'z').map((node) => node.text),
    ).toEqual(['sh', 'an']);
  });

  test('G-178 scroll says the axes it scrolls on, zeros included; a table counts rows', () => {
    const scroll = (body: string, data = {}) => {
      const nodes = dumpFrame(draw(body, { data, rows: 5, cols: 9 }), PLAIN).nodes as {
        id?: string;
        scroll?: object;
      }[];
      return JSON.stringify(nodes.find(({ id }) => id === 'v')!.scroll);
    };
    expect(scroll('<scroll id="v"/>')).toBe('{"y":0,"h":0}');
    expect(
      scroll('<scroll id="v" axis="x" style="height: 1"><text>0123456789</text></scroll>'),
    ).toBe('{"x":0,"w":10}');
    expect(
      scroll('<scroll id="v" axis="both" style="height: 5"><text>0123456789</text></scroll>'),
    ).toBe('{"x":0,"y":0,"w":10,"h":5}');
    expect(
      scroll('<table id="v" each="r as x"><column title="A">{x}</column></table>', {
        r: [1, 2, 3, 4, 5, 6, 7],
      }),
    ).toBe('{"y":0,"h":7}');
  });

  test('G-178 G-002 classes from v2 on, clipped from v3 on', () => {
    const body = '<text class="k" id="t">abcdef</text>';
    const node = (version: 1 | 2 | 3) => {
      const nodes = dumpFrame(draw(body, { version, cols: 3, rows: 1 }), PLAIN).nodes as object[];
      return members(nodes[1]!).slice(7);
    };
    expect([node(1), node(2), node(3)]).toEqual([[], ['classes'], ['classes', 'clipped']]);
  });

  test('G-179 cells', () => {
    const frame = draw('<text id="t">微a</text>', { cols: 4, rows: 1 });
    expect(compactJson(dumpFrame(frame, { cells: true, styles: false }).cells)).toBe(
      '[{"x":0,"y":0,"ch":"微","id":"t","w":2},{"x":1,"y":0,"ch":"","id":"t"},{"x":2,"y":0,"ch":"a","id":"t"},{"x":3,"y":0,"ch":" ","id":"t"}]',
    );
  });

  test('G-180 G-161 spans are maximal runs; unset and default are one', () => {
    const frame = draw(
      '<row><text width="1" style="color: default">a</text><text width="1">b</text><text width="1" style="color: #FF0000; bold: true; underline: true">c</text></row>',
      { cols: 4, rows: 1 },
    );
    expect(JSON.stringify(dumpFrame(frame, { cells: false, styles: true }).styles)).toBe(
      '[[{"x":0,"w":2,"fg":"default","bg":"default"},{"x":2,"w":1,"fg":"#ff0000","bg":"default","a":["bold","underline"]},{"x":3,"w":1,"fg":"default","bg":"default"}]]',
    );
  });

  test('G-182 serialisation', () => {
    const frame = draw('<text>a&lt;b&gt;&amp;é</text>', { cols: 6, rows: 1 });
    const text = printJson(dumpFrame(frame, PLAIN));
    expect(text).toContain('"text": "a\\u003cb\\u003e\\u0026é"');
    expect(text).toContain('"errors": [],');
    expect(text.endsWith('}\n')).toBe(true);
    expect(text.split('\n')[1]).toBe('  "cols": 6,');
  });

  test('G-183 every row is exactly as wide as the grid and has no escapes', () => {
    const frame = draw('<text>微信 e\u0301 👨‍👩‍👧 🇺🇸 \u0600 end</text>', { cols: 11, rows: 3 });
    for (const row of gridRows(frame)) expect(stringWidth(row)).toBe(11);
    expect(grid(frame).join('')).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe('text', () => {
  test('G-184 node lines are padded to the widest id and tag', () => {
    const frame = draw(
      '<button id="go" class="k">x</button><list id="rows"><item id="i"/></list>',
      { cols: 5, rows: 2 },
    );
    expect(dumpText(frame)).toBe(
      [
        '=== grid 5x2 ===',
        '[ x ]',
        '     ',
        '=== nodes ===',
        's     screen  5x2 @(0,0)',
        'go    button  5x1 @(0,0) focus',
        'rows  list    5x0 @(0,1)',
        'i     item    5x0 @(0,1) selected',
        '=== errors ===',
        'ok',
        '',
      ].join('\n'),
    );
  });

  test('G-184 G-185 findings take the place of ok', () => {
    const frame = draw('<text>{a}</text>', { cols: 2, rows: 1 });
    expect(dumpText(frame)).toContain(
      '=== errors ===\nwarning B003 app.tui:1:35 /screen/text bind path "a" is missing\n',
    );
  });

  test('G-184 checked and clipped follow selected', () => {
    const frame = draw(
      '<list id="l" each="r as x" key="x" checked="r"><item><text>{x}</text></item></list>',
      {
        version: 3,
        cols: 2,
        rows: 2,
        data: { r: ['abc'] },
      },
    );
    expect(dumpText(frame)).toContain(
      '\n-  item    2x1 @(0,0) selected checked\n-  text    2x1 @(0,0) clipped\n',
    );
  });

  test('G-186 a snapshot renders at any size and changes nothing', () => {
    const app = stage('<button id="a">a</button><button id="b">b</button>');
    play(app, 'tab');
    const before = dumpText(app.frame!);
    expect(app.snapshot(3, 2).focus).toBe('b');
    expect(dumpText(app.draw())).toBe(before);
    expect(box(app.frame!, 'b').isFocused).toBe(true);
  });

  test('G-186 G-147 a snapshot taken while a focus request waits writes nothing', () => {
    const app = stage(
      '<tabs id="n" bind="v"><tab id="a" label="A"/><tab id="b" label="B"><button id="x" disabled="true">x</button></tab></tabs>',
      { data: { v: 'a' } },
    );
    app.draw();
    requestFocus(app, 'x');
    expect(app.state.store.get('v')).toBe('b');
    app.snapshot(10, 3);
    expect(app.state.store.get('v')).toBe('b');
    app.draw();
    expect(app.state.store.get('v')).toBe('a');
  });
});

describe('what a dump never holds', () => {
  test('G-230 no right-to-left reordering, no links, images or selection: text stays as it is', () => {
    const frame = draw('<text id="t">שלום a</text>', { cols: 8, rows: 1 });
    expect(grid(frame)).toEqual(['שלום a  ']);
    const members = Object.keys(dumpFrame(frame, { cells: true, styles: true }));
    for (const name of ['links', 'images', 'selection', 'clipboard', 'cursor', 'time']) {
      expect(members).not.toContain(name);
    }
  });
});
