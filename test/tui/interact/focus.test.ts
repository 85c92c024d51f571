import { describe, expect, test } from 'vitest';
import { box, draw, eventLines, play, type StageOptions, stage } from '../stage.ts';

const focusOf = (body: string, options: StageOptions = {}) => draw(body, options).focus;
const settled = (body: string, options: StageOptions, ...steps: string[]) => {
  const result = play(stage(body, options), ...steps);
  return { focus: result.frame.focus, events: eventLines(result) };
};

describe('who can have focus', () => {
  test('G-116 G-143 by kind, by attribute, and only with an id', () => {
    const cycle = (body: string) =>
      draw(body, { data: { r: [1] } }).scene.cycle.map(({ id }) => id);
    expect(
      cycle(
        `<input id="i"/><list id="l"/><button id="b">x</button><table id="t" each="r as x"><column id="c">{x}</column></table>
         <text id="n">x</text><box id="y" focusable="true"/><button id="z" focusable="false">x</button>`,
      ),
    ).toEqual(['i', 'l', 'b', 't', 'y']);
    expect(
      cycle(
        '<button id="b" disabled="true">x</button><button id="h" style="visibility: hidden">x</button>',
      ),
    ).toEqual([]);
    expect(cycle('<button id="b" style="width: 0; height: 0">x</button>')).toEqual(['b']);
  });

  test('G-143 G-128 G-135 nothing inside rows or templates', () => {
    const frame = draw(
      '<list id="l"><item><box id="x" focusable="true"/></item></list><col each="r as e"><box id="y" focusable="true"/></col>',
      { data: { r: [1] } },
    );
    expect(frame.scene.cycle.map(({ id }) => id)).toEqual(['l']);
  });

  test('G-144 with modals open only the top one counts, or itself', () => {
    const modals =
      '<button id="a">a</button><modal id="m" open="true"><button id="b">b</button></modal><modal id="n" open="two"/>';
    expect(focusOf(modals, { data: { two: false } })).toBe('b');
    expect(focusOf(modals, { data: { two: true } })).toBe('n');
  });
});

describe('where focus goes', () => {
  const TWO = '<button id="a" on:focus="fa">a</button><button id="b" on:focus="fb">b</button>';

  test('G-145 G-146 the first frame: the target of the screen, else the first of the cycle', () => {
    expect(settled(TWO, {})).toEqual({ focus: 'a', events: ['0 fa a {} null'] });
    expect(settled(TWO, { screen: 'focus="#b"' })).toEqual({
      focus: 'b',
      events: ['0 fb b {} null'],
    });
    expect(settled('<text>x</text>', {}).focus).toBeNull();
  });

  test('G-145 G-118 on the first frame the focus= of a first active tab comes next', () => {
    const tabs =
      '<button id="a">a</button><tabs id="n"><tab id="t" label="T" focus="#c"><button id="b">b</button><button id="c">c</button></tab></tabs>';
    expect(focusOf(tabs)).toBe('c');
  });

  test('G-145 focus stays while it can, then the target of the screen when its node is gone', () => {
    const body =
      '<button id="a">a</button><button id="b" if="show" disabled="off">b</button><button id="c">c</button>';
    const options = { screen: 'focus="#c"', data: { show: true, off: false } };
    expect(settled(body, options, 'focus:#b', 'set:show=false').focus).toBe('c');
    // A node that is only disabled still counts as there, so the first of the cycle is next.
    expect(settled(body, options, 'focus:#b', 'set:off=true').focus).toBe('a');
  });

  const MODAL =
    '<button id="a" on:focus="fa">a</button><button id="b" on:focus="fb">b</button><modal id="m" open="o" on:open="op" on:close="cl"><button id="x" on:focus="fx">x</button></modal><modal id="n" open="p" on:open="op2" on:close="cl2"><button id="y">y</button></modal>';

  test('G-145 G-150 a modal takes focus and gives it back without an event', () => {
    const { focus, events } = settled(
      MODAL,
      { data: { o: false, p: false } },
      'tab',
      'set:o=true',
      'set:o=false',
    );
    expect(focus).toBe('b');
    expect(events).toEqual([
      '0 fa a {} null',
      '1 fb b {} null',
      '2 fx x {} null',
      '2 op m {} null',
      '3 cl m {} null',
    ]);
  });

  test('G-145 G-150 stacked modals that close together restore the lowest target, events in reverse', () => {
    const data = { o: false, p: false };
    const { focus, events } = settled(
      MODAL,
      { data },
      'tab',
      'set:o=true',
      'set:p=true',
      'set:={"o":false,"p":false}',
    );
    expect(focus).toBe('b');
    expect(events.slice(-2)).toEqual(['4 cl2 n {} null', '4 cl m {} null']);
  });

  test('G-145 v3: the focus= of a modal', () => {
    const body =
      '<modal id="m" open="true" focus="#y"><button id="x">x</button><button id="y">y</button></modal>';
    expect(focusOf(body, { version: 3 })).toBe('y');
  });

  test('G-147 G-148 a request lands at once when its target is in the cycle, else nothing changes', () => {
    const keys =
      '<keymap><bind keys="1" action="focus" to="#b"/><bind keys="2" action="focus" to="#gone"/></keymap>';
    const options = { beside: keys, data: { off: false } };
    const body = `${TWO}<button id="gone" if="off" on:focus="fg">g</button>`;
    expect(settled(body, options, '1').events.slice(1)).toEqual(['1 fb b {} null']);
    expect(settled(body, options, '1', '1').events).toHaveLength(2);
    expect(settled(body, options, '2')).toEqual({ focus: 'a', events: ['0 fa a {} null'] });
  });

  test('G-147 G-141 @focus never fires on:focus, and an impossible target is ignored', () => {
    expect(settled(TWO, {}, 'focus:#b')).toEqual({ focus: 'b', events: ['0 fa a {} null'] });
    expect(settled(TWO, {}, 'focus:#nope').focus).toBe('a');
  });

  const TABS = `<button id="a">a</button>
    <tabs id="n" bind="v" on:select="sel"><tab id="t" label="T"><button id="x">x</button></tab>
      <tab id="u" label="U"><tabs id="k" bind="w" on:select="sel2"><tab id="p" label="P"><button id="y">y</button></tab><tab id="q" label="Q"><button id="z" on:focus="fz">z</button></tab></tabs></tab></tabs>`;

  test('G-147 a target inside inactive tabs activates them, outermost first', () => {
    const keys =
      '<keymap><bind keys="1" action="focus" to="#z"/><bind keys="2" action="focus" to="#y"/></keymap>';
    const options = { beside: keys, data: { v: 't', w: null } };
    expect(settled(TABS, options, '1')).toEqual({
      focus: 'z',
      events: ['1 sel n {} "u"', '1 sel2 k {} "q"', '1 fz z {} null'],
    });
    // The inner tabs would have shown its first tab anyway: no event, and its path stays null.
    const app = stage(TABS, options);
    expect(eventLines(play(app, '2'))).toEqual(['1 sel n {} "u"']);
    expect(app.state.store.get('w')).toBeNull();
  });

  test('G-147 a request that fails takes its tabs back', () => {
    const keys = '<keymap><bind keys="1" action="focus" to="#z"/></keymap>';
    const body = TABS.replace('<button id="z"', '<button id="z" disabled="true"');
    const app = stage(body, { beside: keys, data: { v: 't', w: null } });
    expect(eventLines(play(app, '1'))).toEqual([]);
    expect([app.state.store.get('v'), app.state.store.get('w')]).toEqual(['t', null]);
  });

  test('G-147 G-151 a target on another screen switches screens, unless a modal is open', () => {
    const options = {
      beside: '<keymap><bind keys="1" action="focus" to="#far"/></keymap>',
      after:
        '<screen id="s2" focus="#near"><button id="near" on:focus="fn">n</button><button id="far" on:focus="ff">f</button></screen>',
      data: { o: false },
    };
    const body = '<button id="a">a</button><modal id="m" open="o"/>';
    const moved = settled(body, options, '1');
    expect(moved).toEqual({ focus: 'far', events: ['1 ff far {} null'] });
    expect(settled(body, options, 'set:o=true', '1').focus).toBe('m');
  });

  test('G-149 a tab change moves focus into the new tab', () => {
    const body = `<tabs id="n" bind="v" focusable="true"><tab id="t" label="T"><button id="x">x</button></tab>
       <tab id="u" label="U" focus="#z"><button id="y">y</button><button id="z" on:focus="fz">z</button></tab></tabs><button id="o">o</button>`;
    const data = { v: 't' };
    expect(settled(body, { data }, 'focus:#x', 'set:v="u"')).toEqual({
      focus: 'z',
      events: ['2 fz z {} null'],
    });
    expect(settled(body, { data }, 'focus:#n', 'set:v="u"').focus).toBe('z');
    expect(settled(body, { data }, 'focus:#o', 'set:v="u"').focus).toBe('o');
  });

  test('G-151 a switch of screens starts like a first frame; the active one changes nothing', () => {
    const options = {
      after:
        '<screen id="s2" focus="#y"><button id="x">x</button><button id="y" on:focus="fy">y</button></screen>',
    };
    const body = '<button id="a" on:focus="fa">a</button><button id="b">b</button>';
    expect(settled(body, options, 'set:@screen="s2"')).toEqual({
      focus: 'y',
      events: ['0 fa a {} null', '1 fy y {} null'],
    });
    expect(settled(body, options, 'tab', 'set:@screen="s"').focus).toBe('b');
    expect(() => settled(body, options, 'set:@screen="no"')).toThrow(
      'tuimark: no screen with id "no"',
    );
  });

  test('G-118 G-229 focus settles in at most three rounds', () => {
    // Each button hides itself while focused, so the tree never agrees with its focus.
    const css = 'button:focus { display: none; }';
    const frame = draw('<button id="a">a</button><button id="b">b</button>', { css });
    expect(frame.scene.boxes.length).toBeGreaterThan(1);
  });
});

describe('nodes', () => {
  test('G-004 the focused box and its ancestors carry their state', () => {
    const frame = draw('<col id="c"><button id="b">x</button></col>');
    expect(box(frame, 'b').isFocused).toBe(true);
    expect(box(frame, 'c').hasFocusWithin).toBe(true);
  });
});
