import { describe, expect, test } from 'vitest';
import { hitBox } from '../../../src/tui/frame/hit.ts';
import { applyMouse, startSession } from '../../../src/tui/interact/play.ts';
import { box, codes, draw, eventLines, play, type StageOptions, stage } from '../stage.ts';

const ON: StageOptions = { root: 'mouse="true"', cols: 20, rows: 6 };
const run = (body: string, options: StageOptions, ...steps: string[]) =>
  eventLines(play(stage(body, { ...ON, ...options }), ...steps));

describe('hits', () => {
  const hit = (body: string, x: number, y: number) => {
    const found = hitBox(draw(body, ON), x, y)?.box;
    return found ? `${found.tag}${found.id ? `#${found.id}` : ''}` : null;
  };

  test('G-165 the owner of a cell, then its anonymous children', () => {
    const body =
      '<box id="b" style="height: 2"><row><text>ab</text><text id="t">cd</text></row></box>';
    expect(hit(body, 0, 0)).toBe('text');
    expect(hit(body, 2, 0)).toBe('text#t');
    expect(hit(body, 9, 0)).toBe('row');
    expect(hit(body, 9, 5)).toBe('screen#s');
    expect(hit(body, 20, 0)).toBeNull();
  });

  test('G-165 G-166 inside the top modal only its own nodes count', () => {
    const body =
      '<button id="a">a</button><modal id="m" open="true" style="width: 4; height: 3"><text>x</text></modal>';
    expect(hit(body, 9, 2)).toBe('text');
    expect(
      run(`${body.replace('<button id="a">', '<button id="a" on:click="c">')}`, {}, 'click:0,0'),
    ).toEqual([]);
  });
});

describe('clicks', () => {
  test('G-164 without the mouse every event is dropped; a missing flag is B002 at the root', () => {
    const body = '<button id="b" on:click="c">x</button>';
    expect(run(body, { root: '' }, 'click:0,0')).toEqual([]);
    expect(
      run(body, { root: 'mouse="m"', data: { m: true } }, 'click:0,0', 'set:m=false', 'click:0,0'),
    ).toEqual(['1 c b {} null']);
    const frame = draw(body, { root: 'mouse="m"' });
    expect(codes(frame)).toEqual(['B002']);
    expect(frame.diagnostics[0]).toMatchObject({ line: 1, col: 1, path: '/', id: '' });
  });

  test('G-168 the first of node and ancestors decides', () => {
    expect(run('<box id="o" on:click="outer"><text>x</text></box>', {}, 'click:0,0')).toEqual([
      '1 outer o {} null',
    ]);
    expect(
      run(
        '<box on:click="outer" id="o"><button id="b" on:focus="f" on:click="c" disabled="true">x</button></box>',
        {},
        'click:0,0',
      ),
    ).toEqual([]);
    expect(
      run(
        '<text>x</text><button id="a">a</button><button id="b" on:focus="f" on:click="c">b</button>',
        {},
        'click:0,2',
      ),
    ).toEqual(['1 f b {} null', '1 c b {} null']);
    expect(
      run('<button id="a">a</button><button id="b" on:focus="f">b</button>', {}, 'click:0,1'),
    ).toEqual(['1 f b {} null']);
  });

  test('G-168 a row takes focus and the cursor; a header fires its click; a cell does not', () => {
    const body = `<button id="a">a</button><table id="t" each="r as x" key="x" on:focus="f" on:select="sel">
      <column id="c" title="C" on:click="sort">{x}</column></table>`;
    const data = { r: ['p', 'q'] };
    expect(run(body, { data }, 'click:0,3')).toEqual(['1 f t {} null', '1 sel t {x="q"} null']);
    expect(run(body, { data }, 'click:0,2')).toEqual(['1 f t {} null']);
    expect(run(body, { data }, 'click:0,1')).toEqual(['1 sort c {} null']);
  });

  test('G-168 a label activates its tab', () => {
    const tabs =
      '<tabs id="n" bind="v" on:select="sel" gap="1"><tab id="a" label="AA"/><tab id="b" label="BB"/></tabs>';
    expect(run(tabs, { data: { v: 'a' } }, 'click:3,0', 'click:2,0', 'click:0,0')).toEqual([
      '1 sel n {} "b"',
      '3 sel n {} "a"',
    ]);
  });

  test('G-167 a release clicks only where its press hit, by row key; a resize ends the press', () => {
    const body =
      '<list id="l" each="r as x" key="x" on:select="sel"><item><text>{x}</text></item></list>';
    const app = stage(body, { ...ON, data: { r: ['a', 'b', 'c'] } });
    const events: string[] = [];
    const session = startSession(app, ({ action }) => events.push(action));
    applyMouse(session, 'press', 0, 1);
    applyMouse(session, 'release', 0, 2);
    expect(events).toEqual([]);
    applyMouse(session, 'press', 0, 1);
    app.state.store.set('r', ['a', 'x', 'b']);
    app.state.storeVersion++;
    app.draw();
    applyMouse(session, 'release', 0, 1);
    expect(events).toEqual([]);
    applyMouse(session, 'press', 0, 1);
    applyMouse(session, 'release', 0, 1);
    expect(events).toEqual(['sel']);
  });
});

describe('the wheel', () => {
  test('G-169 rows move the cursor without focus, viewports their offset, strips their tab', () => {
    const list =
      '<button id="b">b</button><list id="l" each="r as x" key="x" on:select="sel" on:focus="f" style="height: 2"><item><text>{x}</text></item></list>';
    expect(
      run(list, { data: { r: ['a', 'b', 'c'] } }, 'wheel-down:0,1', 'wheel-up:0,1', 'wheel-up:0,1'),
    ).toEqual(['1 sel l {x="b"} null', '2 sel l {x="a"} null']);
    const scroll =
      '<scroll id="v" style="height: 2"><text>a</text><text>b</text><text>c</text><text>d</text></scroll>';
    const { frame } = play(
      stage(scroll, ON),
      'wheel-down:5,1',
      'wheel-down:5,1',
      'wheel-down:5,1',
      'wheel-up:0,0',
    );
    expect(box(frame, 'v').viewport!.y).toBe(1);
    const tabs =
      '<tabs id="n" bind="v" on:select="sel"><tab id="a" label="A"/><tab id="b" label="B"/></tabs>';
    expect(
      run(tabs, { data: { v: 'a' } }, 'wheel-down:0,0', 'wheel-down:15,0', 'wheel-up:0,0'),
    ).toEqual(['1 sel n {} "b"', '2 sel n {} "a"', '3 sel n {} "b"']);
  });

  test('G-169 a scroll around disabled content still stops there', () => {
    const body =
      '<scroll id="v" style="height: 1"><box disabled="true"><text>a</text></box><text>b</text></scroll>';
    expect(box(play(stage(body, ON), 'wheel-down:0,0').frame, 'v').viewport!.y).toBe(0);
  });
});
