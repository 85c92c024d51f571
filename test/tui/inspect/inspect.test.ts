import { describe, expect, test } from 'vitest';
import {
  type InspectQuery,
  type InspectReport,
  inspectFrame,
} from '../../../src/tui/inspect/inspect.ts';
import { inspectText } from '../../../src/tui/inspect/text.ts';
import { draw, type StageOptions } from '../stage.ts';

function inspect(body: string, query: InspectQuery, options: StageOptions = {}): InspectReport {
  const found = inspectFrame(draw(body, { cols: 20, rows: 6, ...options }), query);
  if ('error' in found) throw new Error(found.error);
  return found.report;
}

const style = (report: InspectReport, prop: string) =>
  report.style.find((entry) => entry.prop === prop)!;
const BODY =
  '<box id="b" class="k" class:hot="h" width="30%" pad="1" style="color: red"><text>abc</text><text>d</text></box>';
const CSS =
  'box { color: blue; color: green; } .k, #b { gap: 1; } @media (max-cols: 40) { #b { gap: 2; } }';
const OPTIONS = { css: CSS, data: { h: true } };

describe('inspect', () => {
  test('G-187 G-188 one node is explained, members in order', () => {
    const members = (report: InspectReport) =>
      Object.entries(report)
        .filter(([, v]) => v !== undefined)
        .map(([k]) => k);
    expect(members(inspect(BODY, { id: 'b' }, OPTIONS))).toEqual([
      'cols',
      'rows',
      'ok',
      'node',
      'path',
      'pseudo',
      'classes',
      'style',
    ]);
    const cell = inspect(BODY, { at: { x: 1, y: 1 } }, OPTIONS);
    expect(members(cell)).toEqual([
      'cols',
      'rows',
      'ok',
      'node',
      'path',
      'cell',
      'pseudo',
      'classes',
      'style',
    ]);
    expect(cell.cell).toMatchObject({ x: 1, y: 1, ch: 'a', id: 'b' });
    expect(cell.node).toMatchObject({ tag: 'text', text: 'abc' });
    const failed = (query: InspectQuery) =>
      inspectFrame(draw('<text>x</text>', { cols: 4, rows: 1 }), query);
    expect(failed({ id: 'no' })).toEqual({ error: '--id no: no laid-out node has that id' });
    expect(failed({ at: { x: 4, y: 0 } })).toEqual({ error: '--at 4,0 is outside the 4x1 grid' });
  });

  test('G-189 paths number siblings of one tag; a modal goes through its screen', () => {
    expect(inspect(BODY, { at: { x: 1, y: 4 } }, OPTIONS).path).toBe('/screen#s/box#b/text[1]');
    const modal = '<modal open="true"><text id="t">x</text></modal>';
    expect(inspect(modal, { id: 't' }).path).toBe('/screen#s/modal/text#t');
    expect(inspect(`${modal}<modal open="true"/>`, { id: 't' }).path).toBe(
      '/screen#s/modal[0]/text#t',
    );
  });

  test('G-190 pseudo-classes in order', () => {
    const list = '<list id="l"><item id="i"/></list>';
    expect(inspect(list, { id: 'l' }).pseudo).toEqual(['focus', 'focus-within']);
    expect(inspect(list, { id: 'l' }, { version: 1 }).pseudo).toEqual(['focus']);
    expect(inspect(list, { id: 'i' }).pseudo).toEqual(['selected', 'empty']);
    expect(inspect('<box id="b" disabled="true"/>', { id: 'b' }).pseudo).toEqual([
      'disabled',
      'empty',
    ]);
  });

  test('G-191 classes, guards, generated ones, and whether a rule names them', () => {
    expect(inspect(BODY, { id: 'b' }, OPTIONS).classes).toEqual([
      { name: 'k', from: 'class', guard: undefined, active: true, used: true },
      { name: 'hot', from: 'class:hot', guard: 'h', active: true, used: false },
    ]);
    const both = inspect(
      '<text id="t" class="k" class:k="off">x</text>',
      { id: 't' },
      { data: { off: false } },
    );
    expect(both.classes.map(({ from, active }) => [from, active])).toEqual([
      ['class', true],
      ['class:k', false],
    ]);
    const tabs = inspect('<tabs id="n"><tab id="a" label="A"/></tabs>', { at: { x: 0, y: 0 } });
    expect(tabs.classes).toEqual([
      { name: 'tab-label', from: 'generated', guard: undefined, active: true, used: false },
    ]);
    const cell = inspect(
      '<table id="t" each="r as x"><column class="n" class:hot="x">{x}</column></table>',
      { at: { x: 0, y: 0 } },
      { data: { r: [0] } },
    );
    expect(cell.classes.map(({ from, active }) => [from, active])).toEqual([
      ['class', true],
      ['class:hot', false],
    ]);
  });

  test('G-192 G-022 every property, its origin, its rule and what it beat', () => {
    const report = inspect(BODY, { id: 'b' }, OPTIONS);
    expect(report.style).toHaveLength(33);
    expect(inspect(BODY, { id: 'b' }, { ...OPTIONS, version: 3 }).style).toHaveLength(35);
    expect(style(report, 'color')).toMatchObject({
      value: 'red',
      origin: 'inline',
      rule: { selector: 'style=""', specificity: 1000 },
    });
    expect(style(report, 'color').overridden.map(({ value, origin }) => [value, origin])).toEqual([
      ['green', 'author'],
      ['blue', 'author'],
    ]);
    expect(style(report, 'gap')).toMatchObject({
      value: '2',
      origin: 'author',
      rule: { selector: '#b', specificity: 100, media: '(max-cols: 40)' },
      overridden: [
        { value: '1', origin: 'author', rule: { selector: '.k, #b', specificity: 100 } },
      ],
    });
    expect(style(report, 'width')).toMatchObject({
      value: '30%',
      origin: 'attribute',
      rule: { selector: 'width="30%"', specificity: 0 },
    });
    expect(style(report, 'padding')).toMatchObject({
      value: '1 1 1 1',
      rule: { selector: 'pad="1"' },
    });
    expect(style(report, 'layout')).toMatchObject({
      value: 'column',
      origin: 'ua',
      rule: { file: '<ua>', line: 5, col: 10 },
    });
    expect(style(report, 'bold')).toMatchObject({
      value: 'false',
      origin: 'inherited',
      overridden: [],
    });
    expect(style(inspect(BODY, { id: 's' }, OPTIONS), 'bold').origin).toBe('initial');
    const v3 = inspect(BODY, { id: 'b' }, { ...OPTIONS, version: 3 });
    expect(style(v3, 'row-gap')).toMatchObject({ value: '2', origin: 'author' });
  });

  test('G-192 declarations whose token does not resolve count for nothing', () => {
    const report = inspect(
      '<text id="t">x</text>',
      { id: 't' },
      { css: 'text { color: red; } #t { color: $no; }' },
    );
    expect(style(report, 'color')).toMatchObject({ value: 'red', overridden: [] });
    expect(report.ok).toBe(false);
  });

  test('G-193 G-194 values as text; box numbers only in the node', () => {
    const report = inspect(
      '<box id="b" style="width: 2.50fr; margin: 1 2; flex: 007; border: single"/>',
      { id: 'b' },
    );
    const value = (prop: string) => style(report, prop).value;
    expect([
      value('width'),
      value('margin'),
      value('flex'),
      value('gap'),
      value('grid-columns'),
      value('bold'),
    ]).toEqual(['2.5fr', '1 2 1 2', '7', '0', '1', 'false']);
    for (const prop of [
      'color',
      'dock',
      'align',
      'content-align',
      'wrap',
      'grid-min-width',
      'max-width',
    ])
      expect(value(prop)).toBeNull();
    expect(Object.keys(report.node)).not.toContain('padding');
    expect([report.node.w, report.node.h]).toEqual([16, 4]);
  });

  test('G-195 the text form', () => {
    const text = inspectText(
      inspect(
        '<text id="t" class="k x" style="color: red">a</text>',
        { at: { x: 0, y: 0 } },
        { css: '.k { color: blue; }' },
      ),
    );
    const lines = text.split('\n');
    expect(lines.slice(0, 5)).toEqual([
      't  text  20x1 @(0,0)',
      'path: /screen#s/text#t',
      'cell: 0,0 "a" id t',
      'pseudo: -',
      'class .k from class active',
    ]);
    expect(lines[5]).toBe('class .x from class active (no rule names it)');
    expect(lines).toContain('width: auto  ua  <ua>:6:10 text (specificity 1)');
    const color = lines.findIndex((line) => line.startsWith('color: red  inline  app.tui:1:'));
    expect(lines[color]).toMatch(/ style="" \(specificity 1000\)$/);
    expect(lines[color + 1]).toMatch(
      /^ {4}overrides blue {2}author {2}app\.tui:1:\d+ \.k \(specificity 10\)$/,
    );
    expect(lines).toContain('wrap: (none)  inherited');
  });
});
