import { describe, expect, test } from 'vitest';
import { box, codes, draw, findings, grid, play, stage, stageSource } from '../stage.ts';

const texts = (frame: ReturnType<typeof draw>) =>
  frame.scene.boxes.filter(({ kind }) => kind === 'text').map(({ text }) => text);

describe('the pipeline', () => {
  test('G-118 the first screen is shown, expanded, styled, focused and painted', () => {
    const frame = draw(
      '<list id="l" each="r as x" key="x"><item><text>{x}</text></item></list><hints id="h"/>',
      {
        data: { r: ['a', 'b'] },
        cols: 12,
        rows: 4,
        beside: '<keymap><bind keys="q" action="quit" label="quit"/></keymap>',
        after: '<screen id="z"><text>no</text></screen>',
      },
    );
    expect(grid(frame).map((row) => row.trimEnd())).toEqual(['a', 'b', 'q quit', '']);
    expect(frame.focus).toBe('l');
  });

  test('G-118 findings are static, cascade, data, layout, without repeats and sorted', () => {
    const frame = draw(
      '<text>{a}</text><text>{a}</text><row style="width: 1"><box width="5"/></row>',
      { css: 'text { color: $x; } box { color: $x; }', screen: 'title="{b}"' },
    );
    expect(codes(frame)).toEqual(['V003', 'V003', 'B003', 'B003', 'B003', 'L003']);
    const places = frame.diagnostics.map(({ line, col }) => line * 1000 + col);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
  });

  test('G-119 a document without a usable root or a screen is a blank grid', () => {
    for (const source of ['<tui', '<tui version="2"></tui>', '<html/>']) {
      const frame = stageSource(source, { cols: 3, rows: 2 }).draw();
      expect(grid(frame)).toEqual(['   ', '   ']);
      expect([frame.scene.boxes.length, frame.focus]).toEqual([0, null]);
      expect(frame.diagnostics.length).toBeGreaterThan(0);
    }
  });

  test('G-119 negative sizes count as 0', () => {
    const app = stage('<text>x</text>', { cols: -3, rows: -1 });
    expect(grid(app.draw())).toEqual([]);
  });

  test('G-120 G-004 the spike root is a col named app and resolves no paths', () => {
    const frame = stageSource(
      '<app id="a"><box border="1" height="3"><text id="t">{x}</text></box></app>',
      {
        cols: 8,
        rows: 4,
      },
    ).draw();
    expect(box(frame, 'a')).toMatchObject({ tag: 'app', kind: 'col', w: 8, h: 4 });
    expect(box(frame, 't').text).toBe('{x}');
    expect(codes(frame)).toEqual([]);
  });

  test('G-121 a new size re-evaluates conditions, tiers, offsets and focus', () => {
    const app = stage('<button id="wide">w</button><button id="any">a</button>', {
      css: '@media (max-cols: 20) { #wide { display: none; } }',
    });
    expect(app.draw().focus).toBe('wide');
    app.resize(20, 5);
    expect(app.draw().focus).toBe('any');
  });

  test('G-003 nodes stand in document order, modals behind the whole screen', () => {
    const frame = draw(
      '<col id="a"><text id="b">x</text></col><text id="c">y</text><modal id="m" open="true"/><modal id="n" open="true"/>',
    );
    expect(frame.scene.boxes.map(({ id }) => id)).toEqual(['s', 'a', 'b', 'c', 'm', 'n']);
  });

  test('G-001 everything is a whole number of cells', () => {
    const frame = draw('<row><box width="33.3%"/><box width="1.5fr"/><box width="2.25fr"/></row>', {
      cols: 79,
    });
    for (const { x, y, w, h } of frame.scene.boxes) {
      for (const value of [x, y, w, h]) expect(Number.isInteger(value)).toBe(true);
    }
  });

  test('G-005 G-006 leaves hold nothing, and there are no other widgets', () => {
    const frame = draw('<checkbox id="c"/><text id="t">x</text>');
    expect(codes(frame)).toEqual(['V001']);
    expect(box(frame, 't').children).toEqual([]);
  });
});

describe('inflating', () => {
  test('G-122 if, hidden, disabled and guards; a missing path is B002 and counts as null', () => {
    const frame = draw(
      `<text if="yes">a</text><text if="!yes">b</text><text hidden="yes">c</text><text if="gone">d</text>
       <text if="!gone">e</text><box disabled="yes"><text id="t" class:k="yes">f</text></box>`,
      { data: { yes: true } },
    );
    expect(texts(frame)).toEqual(['a', 'e', 'f']);
    expect(box(frame, 't').isDisabled).toBe(true);
    expect(codes(frame)).toEqual(['B002', 'B002']);
    expect(findings(frame)[0]).toBe('warning B002 /screen/text if="gone": path "gone" is missing');
  });

  test('G-123 a modal is open by its flag, else by its bound value', () => {
    const open = (attributes: string, data: object) => {
      const frame = draw(`<modal id="m" ${attributes}/>`, { data });
      return [frame.scene.modals.length, ...codes(frame)];
    };
    expect(open('open="o"', { o: 1 })).toEqual([1]);
    expect(open('open="false" bind="b"', { b: 1 })).toEqual([0]);
    expect(open('bind="b"', { b: 'x' })).toEqual([1]);
    expect(open('bind="b"', {})).toEqual([0, 'B003']);
    expect(open('', {})).toEqual([0]);
  });

  test('G-124 classes, then truthy guards, without repeats', () => {
    const frame = draw('<text id="t" class="a b" class:c="y" class:a="y" class:d="!y">x</text>', {
      data: { y: 1 },
    });
    expect(box(frame, 't').classes).toEqual(['a', 'b', 'c']);
  });

  test('G-125 templates resolve every frame; labels of buttons, marks and keycaps are literal', () => {
    const app = stage('<text id="t">{n} of {gone}</text>', { data: { n: 1 } });
    expect(box(app.draw(), 't').text).toBe('1 of ');
    expect(box(play(app, 'set:n=2').frame, 't').text).toBe('2 of ');
    const strict = draw('<text>{gone}</text>', { strict: true });
    expect(strict.diagnostics[0]).toMatchObject({ code: 'B003', severity: 'error' });
    expect(draw('<text>{gone}</text>').diagnostics[0]).toMatchObject({ severity: 'warning' });
  });

  test('G-126 progress values', () => {
    const value = (attributes: string, data: object) => {
      const frame = draw(`<progress id="p" ${attributes}/>`, { data });
      return [box(frame, 'p').progress, ...codes(frame)];
    };
    expect(value('bind="v"', { v: 12.5 })).toEqual([12.5]);
    expect(value('bind="v"', { v: 'x' })).toEqual([0, 'B003']);
    expect(value('bind="v"', { v: null })).toEqual([0]);
    expect(value('value="40"', {})).toEqual([40]);
    const strict = draw('<progress bind="v"/>', { data: { v: 'x' }, strict: true });
    expect(strict.diagnostics[0]).toMatchObject({ code: 'B003', severity: 'warning' });
  });

  test('G-127 sparkline values', () => {
    const series = (data: object) => {
      const frame = draw('<sparkline id="k" bind="v"/>', { data });
      return [box(frame, 'k').series, ...codes(frame)];
    };
    expect(series({ v: [1, null, 'x', true] })).toEqual([[1, null, null, null], 'B009']);
    expect(series({ v: 3 })).toEqual([[], 'B009']);
    expect(series({})).toEqual([[], 'B003']);
  });

  test('G-128 each repeats the children of a container, with keys', () => {
    const frame = draw('<col each="r as x" key="x.k"><text>{x.t}</text><rule/></col>', {
      data: { r: [{ k: 'a', t: 'one' }, { t: 'two' }] },
    });
    const copies = frame.scene.boxes.filter(({ kind }) => kind === 'text' || kind === 'rule');
    expect(copies.map(({ key }) => key)).toEqual(['a', 'a', 1, 1]);
    expect(codes(frame)).toEqual(['B003']);
    expect(findings(frame)[0]).toContain(
      'key="x.k" is missing on element 1 (its key is the index)',
    );
    expect(codes(draw('<col each="r as x"><text>x</text></col>'))).toEqual(['B001']);
    expect(codes(draw('<col each="r as x"><text>x</text></col>', { data: { r: {} } }))).toEqual([
      'B001',
    ]);
  });
});

describe('data', () => {
  test('G-129 aliases shadow the store, innermost first', () => {
    const frame = draw('<col each="a as x"><row each="x as y"><text>{y}{x}{z}</text></row></col>', {
      data: { a: [[1], [2]], x: 'no', z: 'store' },
    });
    expect(texts(frame)).toEqual(['1[1]store', '2[2]store']);
  });

  test('G-130 writing creates objects, replaces elements in range, and fails inside other values', () => {
    const app = stage('<text>{a.b.c}</text>', { data: { l: [1, 2], s: 'x', n: null } });
    expect(texts(play(app, 'set:a.b.c=5', 'set:l.1=9', 'set:n.m=1').frame)).toEqual(['5']);
    expect(() => play(app, 'set:l.2=9')).toThrow(/is not an index of a 2-element array/);
    expect(() => play(app, 'set:s.x=9')).toThrow(/is inside a string, not an object/);
    expect(() => play(app, 'set:=9')).toThrow(/the root value must be a JSON object/);
    expect(texts(play(app, 'set:={"a":{"b":{"c":"new"}}}').frame)).toEqual(['new']);
  });

  test('G-131 values as text', () => {
    const data = { v: [null, 'x', true, 7, -0, 2.5, 1234567.5, 0.00001, 1e15, { b: 1, a: '<&>' }] };
    const frame = draw('<col each="v as x"><text>{x}</text></col>', { data });
    expect(texts(frame)).toEqual([
      '',
      'x',
      'true',
      '7',
      '0',
      '2.5',
      '1.2345675e+06',
      '1e-05',
      '1e+15',
      '{"a":"\\u003c\\u0026\\u003e","b":1}',
    ]);
  });

  test('G-132 truthiness', () => {
    const shown = (value: unknown) =>
      texts(draw('<text if="v">y</text>', { data: { v: value } })).length;
    expect([null, false, 0, '', []].map(shown)).toEqual([0, 0, 0, 0, 0]);
    expect([{}, '0', 'false', [0], -1].map(shown)).toEqual([1, 1, 1, 1, 1]);
  });

  const LIST =
    '<list id="l" each="r as x" key="x.k" bind="cur"><item><text>{x.k}</text></item></list>';
  const rows = (...keys: unknown[]) => keys.map((k) => ({ k }));
  const cursor = (frame: ReturnType<typeof draw>) => box(frame, 'l').rows!.cursor;

  test('G-133 G-134 the cursor follows the bound key, by type and text', () => {
    expect(cursor(draw(LIST, { data: { r: rows(7, '7'), cur: '7' } }))).toBe(1);
    const app = stage(LIST, { data: { r: rows('a', 'b', 'c'), cur: 'b' } });
    expect(cursor(app.draw())).toBe(1);
    expect(cursor(play(app, 'set:r=[{"k":"c"},{"k":"a"},{"k":"b"}]').frame)).toBe(2);
    expect(cursor(play(app, 'set:r=[{"k":"z"}]').frame)).toBe(0);
    expect(codes(draw(LIST, { data: { r: rows('a') } }))).toEqual(['B003']);
  });

  test('G-134 without bind the cursor stays at its index, clamped', () => {
    const app = stage(LIST.replace('bind="cur"', ''), { data: { r: rows('a', 'b', 'c') } });
    expect(cursor(play(app, 'end', 'set:r=[{"k":"x"},{"k":"y"},{"k":"z"}]').frame)).toBe(2);
    expect(cursor(play(app, 'set:r=[{"k":"x"}]').frame)).toBe(0);
  });

  test('G-135 G-136 list rows: keys by path or index, static items by id, pruned rows count', () => {
    const frame = draw(LIST.replace('bind="cur"', ''), { data: { r: [{ k: 'a' }, {}] } });
    expect(box(frame, 'l').rows!.keys).toEqual(['a', 1]);
    expect(frame.diagnostics[0]).toMatchObject({ code: 'B003', severity: 'warning' });
    const strict = draw(LIST.replace('bind="cur"', ''), { data: { r: [{}] }, strict: true });
    expect(strict.diagnostics.find(({ msg }) => msg.startsWith('key='))!.severity).toBe('warning');
    const fixed = draw('<list id="l"><item id="one"/><item/><item id="off" if="no"/></list>', {
      data: { no: false },
    });
    expect(box(fixed, 'l').rows!.keys).toEqual(['one', 1, 'off']);
    expect(box(fixed, 'l').children).toHaveLength(2);
  });

  test('G-136 a missing key of a table is an error under strict', () => {
    const table = '<table id="t" each="r as x" key="x.k"><column>{x}</column></table>';
    const frame = draw(table, { data: { r: [{}] }, strict: true });
    expect(frame.diagnostics[0]).toMatchObject({ code: 'B003', severity: 'error' });
    expect(frame.diagnostics[0]!.msg).toBe('key="x.k" is missing on row 0 (its key is the index)');
  });

  test('G-137 checked holds row keys; what is no array is B008 and stays as it is', () => {
    const list = LIST.replace('bind="cur"', 'checked="m"');
    const checked = (data: object) => {
      const frame = draw(list, { data: { r: rows('a', 'b'), ...data } });
      return [box(frame, 'l').children.map(({ isChecked }) => isChecked), ...codes(frame)];
    };
    expect(checked({ m: ['b'] })).toEqual([[false, true]]);
    expect(checked({})).toEqual([[false, false], 'B003']);
    expect(checked({ m: 'b' })).toEqual([[false, false], 'B008']);
  });

  test('G-138 an input keeps its own text without bind; its cursor starts at the end', () => {
    const app = stage('<input id="i"/>');
    app.draw();
    expect(box(play(app, 'text:ab', 'left', 'text:X').frame, 'i').input).toMatchObject({
      raw: 'aXb',
      caret: 2,
    });
    const bound = draw('<input id="i" bind="n"/>', { data: { n: 12 } });
    expect(box(bound, 'i').input).toMatchObject({ raw: '12', caret: 2 });
    expect(box(draw('<input id="i" bind="n"/>', { data: { n: 'a\u0007b\nc' } }), 'i').text).toBe(
      'abc',
    );
  });

  const TABS =
    '<tabs id="n" bind="v"><tab id="a" label="A"/><tab id="b" label="B" hidden="h"/><tab id="c" label="C"/></tabs>';
  const active = (data: object) => {
    const frame = draw(TABS, { data: { h: false, ...data } });
    return [box(frame, 'n').tabs!.active!.tab.id, ...codes(frame)];
  };

  test('G-139 the active tab is the bound one, else the first visible one', () => {
    expect(active({ v: 'c' })).toEqual(['c']);
    expect(active({ v: null })).toEqual(['a']);
    expect(active({})).toEqual(['a', 'B003']);
    expect(active({ v: 'zz' })).toEqual(['a', 'B010']);
    expect(active({ v: 'b', h: true })).toEqual(['a', 'B010']);
  });

  test('G-139 without bind the memory is kept while its tab is hidden', () => {
    const app = stage(TABS.replace('bind="v"', 'focusable="true"'), { data: { h: false } });
    expect(box(play(app, 'right').frame, 'n').tabs!.active!.tab.id).toBe('b');
    expect(box(play(app, 'set:h=true').frame, 'n').tabs!.active!.tab.id).toBe('a');
    expect(box(play(app, 'set:h=false').frame, 'n').tabs!.active!.tab.id).toBe('b');
  });

  test('G-140 named viewports keep their offset, unnamed ones once the wheel moved them', () => {
    const body =
      '<col each="g as g" key="g"><scroll style="height: 1"><text>{g}1</text><text>{g}2</text></scroll></col>';
    const app = stage(body, { root: 'mouse="true"', data: { g: ['a', 'b'] }, cols: 4, rows: 2 });
    expect(grid(app.draw()).map((row) => row.trimEnd())).toEqual(['a1', 'b1']);
    expect(grid(play(app, 'wheel-down:0,1').frame).map((row) => row.trimEnd())).toEqual([
      'a1',
      'b2',
    ]);
    expect(grid(play(app, 'set:g=["b","a"]').frame).map((row) => row.trimEnd())).toEqual([
      'b2',
      'a1',
    ]);
  });
});
