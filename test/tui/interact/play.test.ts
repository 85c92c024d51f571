import { describe, expect, test } from 'vitest';
import { dumpText } from '../../../src/tui/dump/text.ts';
import { runPlay } from '../../../src/tui/interact/play.ts';
import { box, eventLines, grid, play, stage } from '../stage.ts';

describe('play', () => {
  test('G-170 G-171 steps run in order against a fresh app; host actions are recorded only', () => {
    const beside = '<keymap><bind keys="a" action="add"/></keymap>';
    const result = play(
      stage('<text id="t">{n}</text>', { beside, data: { n: 1 } }),
      'a',
      'set:n=2',
      'resize:10x3',
      'a',
    );
    expect(eventLines(result)).toEqual(['1 add - {} null', '4 add - {} null']);
    expect([result.frame.cols, result.frame.rows, box(result.frame, 't').text]).toEqual([
      10,
      3,
      '2',
    ]);
  });

  test('G-170 G-172 a quit ends the session; later steps are not applied', () => {
    const beside = '<keymap><bind keys="q" action="quit"/></keymap>';
    const result = play(
      stage('<text id="t">{n}</text>', { beside, data: { n: 1 } }),
      'q',
      'set:n=2',
    );
    expect(eventLines(result)).toEqual(['1 quit - {} null']);
    expect(result.frames).toHaveLength(2);
    expect(box(result.frame, 't').text).toBe('1');
  });

  test('G-172 later keys of one step see what earlier ones did', () => {
    const body = '<input id="i" bind="a"/><input id="j" bind="b"/>';
    const app = stage(body, { data: { a: '', b: '' } });
    play(app, 'text:one\ttwo');
    expect([app.state.store.get('a'), app.state.store.get('b')]).toEqual(['one', 'two']);
  });

  test('G-172 with the mouse off a report inside a run of keys is dropped, with it on it parts the run', () => {
    const changes = (root: string) => {
      const app = stage('<input id="i" bind="a" on:change="ch"/>', { root, data: { a: '' } });
      return eventLines(play(app, 'text:ab\x1b[<64;1;1Mcd')).length;
    };
    expect(changes('')).toBe(1);
    expect(changes('mouse="true"')).toBe(2);
  });

  test('G-172 a cell outside the grid ends the run with a reason', () => {
    const app = stage('<text>x</text>', { cols: 4, rows: 2 });
    const step = { kind: 'click', written: 'click:4,0', x: 4, y: 0 } as const;
    expect(runPlay(app, [step])).toEqual({
      failedStep: 1,
      reason: 'cell 4,0 is outside the 4x2 grid',
    });
  });

  test('G-172 events that a frame queued are dispatched after it', () => {
    const body =
      '<modal id="m" open="o" on:open="op" on:close="cl"><button id="b" on:focus="f">x</button></modal>';
    expect(eventLines(play(stage(body, { data: { o: true } })))).toEqual([
      '0 f b {} null',
      '0 op m {} null',
    ]);
  });

  test('G-173 the same document, data and steps give the same frames', () => {
    const body = '<list id="l" each="r as x" key="x"><item><text>{x}</text></item></list>';
    const once = () =>
      play(stage(body, { data: { r: ['a', 'b', 'c'] } }), 'down', 'end', 'resize:9x2', 'up')
        .frames.map(({ frame }) => dumpText(frame))
        .join('');
    expect(once()).toBe(once());
  });

  test('G-175 G-181 the result has the events and one frame for each step', () => {
    const result = play(
      stage('<button id="b" on:click="c">x</button>', { cols: 6, rows: 1 }),
      'enter',
      'tab',
    );
    expect(result.frames.map(({ step, input, events }) => [step, input, events.length])).toEqual([
      [0, '', 0],
      [1, 'enter', 1],
      [2, 'tab', 0],
    ]);
    expect(grid(result.frames[1]!.frame)).toEqual(['[ x ] ']);
    expect(result.frame).toBe(result.frames[2]!.frame);
  });
});
