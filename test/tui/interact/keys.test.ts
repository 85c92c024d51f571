import { describe, expect, test } from 'vitest';
import { applyBatch, getPath } from '../../../src/tui/interact/batch.ts';
import { decodeInput } from '../../../src/tui/interact/decode.ts';
import { normalisePaste } from '../../../src/tui/interact/paste.ts';
import { box, draw, eventLines, grid, play, type StageOptions, stage, toValue } from '../stage.ts';

const run = (body: string, options: StageOptions, ...steps: string[]) =>
  eventLines(play(stage(body, options), ...steps));
const keymap = (...rows: string[]) =>
  `<keymap>${rows.map((row) => `<bind ${row}/>`).join('')}</keymap>`;

describe('dispatch', () => {
  test('G-153 esc goes to the top modal first, then to the keymap', () => {
    const beside = keymap('keys="esc" action="out"');
    const modal = '<modal id="m" open="o" on:escape="close"/>';
    expect(run(modal, { beside, data: { o: true } }, 'esc')).toEqual(['1 close m {} null']);
    expect(run(modal, { beside, data: { o: false } }, 'esc')).toEqual(['1 out - {} null']);
  });

  test('G-153 G-116 a focused widget takes its own keys before the keymap', () => {
    const beside = keymap('keys="a,enter,down" action="hit"');
    expect(run('<input id="i"/>', { beside }, 'a', 'down', 'enter')).toEqual([
      '2 hit i {} "a"',
      '3 hit i {} "a"',
    ]);
    expect(run('<input id="i" on:submit="go"/>', { beside }, 'x', 'enter')).toEqual([
      '2 go i {} "x"',
    ]);
    expect(run('<button id="b">x</button>', { beside }, 'enter')).toEqual(['1 hit b {} null']);
    expect(run('<button id="b" on:click="c">x</button>', { beside }, 'enter', 'space')).toEqual([
      '1 c b {} null',
      '2 c b {} null',
    ]);
    expect(run('<list id="l"><item id="a"/><item/></list>', { beside }, 'down')).toEqual([]);
    expect(run('<list id="l"/>', { beside }, 'down')).toEqual(['1 hit l {} null']);
  });

  test('G-153 the first row whose keys, when and target fit takes the key', () => {
    const beside = keymap(
      'keys="x" action="one" when="#b:focus"',
      'keys="x" action="move-next" to="#a"',
      'keys="x" action="two"',
      'keys="x" action="three"',
    );
    expect(
      run('<button id="a">a</button><button id="b">b</button>', { beside }, 'x', 'tab', 'x'),
    ).toEqual(['1 two a {} null', '3 one b {} null']);
  });

  test('G-153 tab cycles, ctrl+c quits, and other keys do nothing', () => {
    const body = '<button id="a">a</button><button id="b">b</button>';
    expect(play(stage(body), 'tab').frame.focus).toBe('b');
    expect(play(stage(body), 'tab', 'tab').frame.focus).toBe('a');
    expect(play(stage(body), 'shift+tab').frame.focus).toBe('b');
    expect(run(body, {}, 'ctrl+c', 'tab')).toEqual(['1 quit a {} null']);
    expect(run(body, {}, 'z', 'f')).toEqual([]);
  });

  test('G-154 when: v1 looks at the focused node, v2 at the chain', () => {
    const beside = keymap('keys="x" action="hit" when="#c"');
    const body = '<col id="c"><button id="b">x</button></col>';
    expect(run(body, { beside, version: 1 }, 'x')).toEqual([]);
    expect(run(body, { beside, version: 2 }, 'x')).toEqual(['1 hit b {} null']);
    const none = keymap('keys="x" action="hit" when="screen"');
    expect(run('<text>x</text>', { beside: none, version: 1 }, 'x')).toEqual([]);
    expect(run('<text>x</text>', { beside: none }, 'x')).toEqual(['1 hit - {} null']);
    const modal = keymap('keys="x" action="hit" when="modal"');
    expect(run('<modal id="m" open="true" focusable="false"/>', { beside: modal }, 'x')).toEqual([
      '1 hit - {} null',
    ]);
    expect(run(body, { beside: keymap('keys="x" action="hit" when="#nope"') }, 'x')).toEqual([]);
    expect(run(body, { beside: keymap('keys="x" action="hit" when="b c"') }, 'x')).toEqual([
      '1 hit b {} null',
    ]);
  });

  test('G-152 G-171 ctrl+i, ctrl+j and ctrl+m arrive as tab and enter', () => {
    const beside = keymap(
      'keys="ctrl+i,ctrl+j,ctrl+m" action="never"',
      'keys="enter" action="yes"',
      'keys="space" action="sp"',
    );
    expect(run('<text>x</text>', { beside }, 'ctrl+j', 'ctrl+m', 'ctrl+i', 'space')).toEqual([
      '1 yes - {} null',
      '2 yes - {} null',
      '4 sp - {} null',
    ]);
  });
});

describe('inputs', () => {
  const value = (start: string, caret: number | null, ...steps: string[]) => {
    const app = stage('<input id="i" bind="v" on:change="ch"/>', { data: { v: start } });
    if (caret !== null) app.state.carets.set('i', caret);
    const result = play(app, ...steps);
    return [
      app.state.store.get('v'),
      box(result.frame, 'i').input!.caret,
      ...eventLines(result).map((line) => line.slice(line.indexOf('} ') + 2)),
    ];
  };

  test('G-155 editing by cluster', () => {
    expect(value('', null, 'text:ab', 'left', 'text:X')).toEqual(['aXb', 2, '"ab"', '"aXb"']);
    expect(value('e\u0301x', 2, 'backspace')).toEqual(['x', 0, '"x"']);
    expect(value('ab', 0, 'backspace')).toEqual(['ab', 0]);
    expect(value('abc', null, 'ctrl+u')).toEqual(['', 0, '""']);
    expect(value('abc', null, 'home', 'right', 'ctrl+h')).toEqual(['bc', 0, '"bc"']);
    expect(value('abc', 1, 'ctrl+e')).toEqual(['abc', 3]);
    expect(value('abc', 1, 'ctrl+a')).toEqual(['abc', 0]);
    expect(value('a b', null, 'space')).toEqual(['a b ', 4, '"a b "']);
  });

  test('G-155 a cursor inside a cluster counts as after it, and lands behind what joins', () => {
    expect(value('e\u0301x', 1, 'text:Y')).toEqual(['e\u0301Yx', 3, '"e\u0301Yx"']);
    expect(value('\u0301', 0, 'text:e')).toEqual(['e\u0301', 2, '"e\u0301"']);
  });

  test('G-155 printable keys of one step are one edit', () => {
    expect(value('', null, 'text:hello')).toEqual(['hello', 5, '"hello"']);
    expect(value('', null, 'text:a\x7fb')).toHaveLength(5);
  });

  test('G-156 a paste is one edit of one line', () => {
    expect(value('', null, 'paste:a\tb')).toEqual(['a b', 3, '"a b"']);
    expect(normalisePaste('a\r\nb\rc\x1b[31md\x07')).toBe('a b cd');
    expect(normalisePaste('x'.repeat(2 ** 21))).toHaveLength(2 ** 20);
    expect(run('<button id="b">x</button>', {}, 'paste:abc')).toEqual([]);
    expect(value('', null, 'paste:')).toEqual(['', 0]);
  });
});

describe('lists and viewports', () => {
  const LIST =
    '<list id="l" each="r as x" key="x.k" bind="cur" on:select="sel" style="height: 3"><item><text>{x.k}</text></item></list>';
  const data = () => ({ r: Array.from({ length: 10 }, (_, k) => ({ k })), cur: 0 });

  test('G-157 moves clamp, write the key and fire on:select', () => {
    const app = stage(LIST, { data: data() });
    expect(eventLines(play(app, 'up', 'down', 'pgdn', 'end', 'end', 'home'))).toEqual([
      '2 sel l {x=1} null',
      '3 sel l {x=4} null',
      '4 sel l {x=9} null',
      '6 sel l {x=0} null',
    ]);
    expect(app.state.store.get('cur')).toBe(0);
  });

  test('G-161 a static list gives the key as value, a list with each as keys', () => {
    const fixed = '<list id="l" on:select="sel"><item id="a"/><item/></list>';
    expect(run(fixed, { beside: keymap('keys="x" action="hit"') }, 'down', 'x', 'up')).toEqual([
      '1 sel l {} 1',
      '2 hit l {} 1',
      '3 sel l {} "a"',
    ]);
    expect(run(LIST, { data: data(), beside: keymap('keys="x" action="hit"') }, 'x')).toEqual([
      '1 hit l {x=0} null',
    ]);
  });

  test('G-158 viewport keys move by cells and pages on their axes', () => {
    const body =
      '<scroll id="v" focusable="true" axis="both" style="height: 3; width: 10"><text>long long long line</text><col each="r as x"><text>{x.k}</text></col></scroll>';
    const at = (...steps: string[]) => {
      const { x, y } = box(play(stage(body, { data: data() }), ...steps).frame, 'v').viewport!;
      return [x, y];
    };
    expect(at('down', 'right', 'right')).toEqual([2, 1]);
    expect(at('pgdn', 'up')).toEqual([0, 2]);
    expect(at('end')).toEqual([0, 8]);
    expect(at('end', 'home')).toEqual([0, 0]);
  });

  test('G-158 G-229 an x-only scroll has no home and end', () => {
    const body =
      '<scroll id="v" focusable="true" axis="x" style="width: 5"><text>0123456789</text></scroll>';
    const { frame } = play(stage(`<row>${body}</row>`), 'right', 'end', 'pgdn', 'down');
    expect(box(frame, 'v').viewport!.x).toBe(1);
  });

  test('G-159 move-* on lists, viewports and tabs', () => {
    const rows = ['next', 'prev', 'first', 'last', 'page-down', 'page-up'].map(
      (m, i) => `keys="${i}" action="move-${m}" to="#l"`,
    );
    expect(
      run(
        `${LIST}<button id="b">x</button>`,
        { data: data(), beside: keymap(...rows), screen: 'focus="#b"' },
        '0',
        '4',
        '3',
        '1',
        '5',
        '2',
      ),
    ).toEqual([
      '1 sel l {x=1} null',
      '2 sel l {x=4} null',
      '3 sel l {x=9} null',
      '4 sel l {x=8} null',
      '5 sel l {x=5} null',
      '6 sel l {x=0} null',
    ]);
  });

  test('G-159 G-160 tabs wrap over enabled tabs, and switch-to names one', () => {
    const body =
      '<tabs id="n" bind="v" on:select="sel"><tab id="a" label="A"/><tab id="b" label="B" disabled="true"/><tab id="c" label="C"/></tabs>';
    const beside = keymap(
      'keys="n" action="move-next" to="#n"',
      'keys="p" action="move-prev" to="#n"',
      'keys="b" action="switch-to" to="#b"',
      'keys="b" action="other"',
      'keys="c" action="switch-to" to="#c"',
      'keys="l" action="move-last" to="#n"',
    );
    expect(run(body, { beside, data: { v: 'a' } }, 'n', 'n', 'p', 'b', 'c', 'l')).toEqual([
      '1 sel n {} "c"',
      '2 sel n {} "a"',
      '3 sel n {} "c"',
      '4 other - {} null',
    ]);
    const blocked = stage(body.replace('bind="v"', 'bind="v.w"'), { beside, data: { v: 'text' } });
    expect(eventLines(play(blocked, 'c'))).toEqual([]);
  });

  test('G-159 switch-to a screen', () => {
    const options = {
      beside: keymap('keys="2" action="switch-to" to="#s2"'),
      after: '<screen id="s2"><text>two</text></screen>',
      cols: 5,
      rows: 1,
    };
    expect(grid(play(stage('<text>one</text>', options), '2').frame)).toEqual(['two  ']);
  });

  const CHECK = keymap(
    'keys="space" action="check-toggle"',
    'keys="a" action="check-all"',
    'keys="n" action="check-none"',
  );
  const checks = (list: unknown, ...steps: string[]) => {
    const body =
      '<list id="l" each="r as x" key="x" checked="m" on:change="ch"><item><text>{x}</text></item></list>';
    const app = stage(body, { data: { r: [1, 2, 3], m: list }, beside: CHECK });
    return [eventLines(play(app, ...steps)), app.state.store.get('m')];
  };

  test('G-159 G-161 check actions change the array and fire on:change with it', () => {
    expect(checks([2], 'space')).toEqual([['1 ch l {x=1} [2,1]'], [2, 1]]);
    expect(checks([1, 9, 1], 'space')).toEqual([['1 ch l {x=1} [9]'], [9]]);
    expect(checks([2], 'down', 'a')).toEqual([['2 ch l {x=2} [2,1,3]'], [2, 1, 3]]);
    expect(checks([9, 1, 2, 3], 'a')).toEqual([[], [9, 1, 2, 3]]);
    expect(checks([1], 'n')).toEqual([['1 ch l {x=1} []'], []]);
    expect(checks([], 'n')).toEqual([[], []]);
  });

  test('G-137 G-159 what is no array is never written over', () => {
    expect(checks('text', 'space', 'a', 'n')).toEqual([[], 'text']);
  });
});

describe('hints', () => {
  const shown = (
    options: StageOptions,
    body = '<hints id="h"/><input id="i"/><button id="b">x</button>',
    ...steps: string[]
  ) =>
    box(play(stage(body, options), ...steps).frame, 'h').children.map(({ children }) =>
      children.map(({ text }) => text).join(' '),
    );

  test('G-162 a row is a hint while one of its keys would reach it', () => {
    const beside = keymap(
      'keys="q,ctrl+q" action="quit" label="quit"',
      'keys="ctrl+i,ctrl+s" action="save" keycap="^S" label="save"',
      'keys="ctrl+s" action="shadowed" label="never"',
      'keys="x" action="plain"',
      'keys="esc" action="cancel" when="#i" label="cancel"',
    );
    expect(shown({ beside, screen: 'focus="#i"' })).toEqual([
      'ctrl+q quit',
      '^S save',
      'esc cancel',
    ]);
    expect(shown({ beside, screen: 'focus="#b"' })).toEqual(['q quit', '^S save']);
    expect(shown({ beside }, '<hints id="h" scope="all"/>')).toEqual([
      'q quit',
      '^S save',
      'ctrl+s never',
      'esc cancel',
    ]);
  });

  test('G-163 the generated boxes', () => {
    const frame = draw('<hints id="h"/>', {
      beside: keymap('keys="q" action="quit" label="quit"'),
    });
    const [item] = box(frame, 'h').children;
    expect(item).toMatchObject({ tag: 'row', id: null, classes: [] });
    expect(item!.children.map(({ tag, classes }) => [tag, ...classes])).toEqual([
      ['text', 'hint-key'],
      ['text', 'hint-label'],
    ]);
  });
});

describe('decoding', () => {
  const decode = (text: string) =>
    decodeInput(text).map((input) =>
      input.kind === 'key' ? input.press.token || input.press.char : JSON.stringify(input),
    );

  test('G-174 U-187 keys', () => {
    expect(decode('aZ é\r\n\t\x7f\x01\x1a\x00')).toEqual([
      'a',
      'Z',
      'space',
      'é',
      'enter',
      'enter',
      'tab',
      'backspace',
      'ctrl+a',
      'ctrl+z',
    ]);
    expect(decode('\x1b[A\x1bOB\x1b[1;5C\x1b[H\x1bOF')).toEqual([
      'up',
      'down',
      'right',
      'home',
      'end',
    ]);
    expect(decode('\x1b[1~\x1b[7~\x1b[4~\x1b[8~\x1b[5~\x1b[6~\x1b[3~\x1b[Z')).toEqual([
      'home',
      'home',
      'end',
      'end',
      'pgup',
      'pgdn',
      'delete',
      'shift+tab',
    ]);
    expect(decode('\x1b')).toEqual(['esc']);
    expect(decode('\x1bx')).toEqual(['esc', 'x']);
    expect(decode('\x1b[?25h\x1b[99X\x1b]0;t\x07\x1bPq\x07x\x1b\\z')).toEqual(['z']);
    expect(decode('\x1b[12\x01a')).toEqual(['ctrl+a', 'a']);
    expect(decode('\x1b[Mabcd')).toEqual(['d']);
    expect(decode(`\x1b[${'1'.repeat(300)}Ax`)).toEqual(['x']);
    expect(decode('a\x1b[1')).toEqual(['a']);
  });

  test('G-174 pastes and mouse reports', () => {
    expect(decode('\x1b[200~a\nb\x1b[201~c')).toEqual(['{"kind":"paste","text":"a\\nb"}', 'c']);
    expect(
      decode('\x1b[<0;3;2M\x1b[<0;3;2m\x1b[<68;1;1M\x1b[<65;1;1M\x1b[<2;1;1M\x1b[<0;1234567890;1M'),
    ).toEqual([
      '{"kind":"press","x":2,"y":1}',
      '{"kind":"release","x":2,"y":1}',
      '{"kind":"wheel-up","x":0,"y":0}',
      '{"kind":"wheel-down","x":0,"y":0}',
    ]);
  });

  test('G-229 the delete key decodes, and does nothing', () => {
    expect(
      run(
        '<input id="i" on:change="ch"/>',
        { beside: keymap('keys="d" action="x"') },
        'text:\x1b[3~',
      ),
    ).toEqual([]);
  });
});

describe('the host', () => {
  test('G-141 values are read as deep copies', () => {
    const app = stage('<text>x</text>', { data: { a: { b: [1] } } });
    const copy = getPath(app, 'a.b') as number[];
    copy.push(2);
    expect(getPath(app, 'a.b')).toEqual([1]);
    expect(getPath(app, 'nope')).toBeUndefined();
    expect(() => play(app, 'set:@theme="blue"')).toThrow(
      'tuimark: @theme must be "dark", "light", or "auto" (got "blue")',
    );
  });

  test('G-142 a batch is applied in order, all or nothing', () => {
    const app = stage('<text id="t">{a}{b.c}</text>', { data: { a: 1 } });
    expect(
      applyBatch(app, (write) => void [write('a', 2), write('b.c', 3), write('@theme', 'light')]),
    ).toEqual([]);
    expect(box(app.draw(), 't').text).toBe('23');
    const errors = applyBatch(app, (write) => {
      write('a', 9);
      write('a.x', 1);
      write('@screen', toValue('nope'));
      throw new Error('own');
    });
    expect(errors).toEqual([
      'set "a.x": "x" is inside a float64, not an object',
      'tuimark: no screen with id "nope"',
      'own',
    ]);
    expect(box(app.draw(), 't').text).toBe('23');
  });
});
