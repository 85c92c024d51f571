import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeInput } from '../../../src/tui/interact/decode.ts';
import { BOLD, REVERSE } from '../../../src/tui/paint/canvas.ts';
import { detectDepth, sgr } from '../../../src/tui/run/ansi.ts';
import { parseDuration } from '../../../src/tui/run/duration.ts';
import { readHostMessage } from '../../../src/tui/run/host-messages.ts';
import { nearest16, nearest256 } from '../../../src/tui/run/palette.ts';
import { InputReader } from '../../../src/tui/run/reader.ts';
import { themeOfEnvironment, themeOfReply } from '../../../src/tui/run/theme.ts';

describe('colours', () => {
  test.each([
    [null, null, 0, 'truecolor', '\u001b[0;39;49m'],
    ['default', 'red', BOLD, '16', '\u001b[0;1;39;41m'],
    ['bright-white', 'bright-black', REVERSE, '16', '\u001b[0;7;97;100m'],
    ['#0d1117', '#ffffff', 0, 'truecolor', '\u001b[0;38;2;13;17;23;48;2;255;255;255m'],
    ['#ff0000', '#808080', 0, '256', '\u001b[0;38;5;196;48;5;244m'],
    ['#ff0000', '#0000ee', 0, '16', '\u001b[0;91;44m'],
    ['#ff0000', null, BOLD, 'none', '\u001b[0;1m'],
  ] as const)('G-198 %s on %s, %d, %s', (fg, bg, attributes, depth, sequence) =>
    expect(sgr(fg, bg, attributes, depth)).toBe(sequence),
  );

  test('G-198 G-200 nearest colours', () => {
    expect(nearest256([95, 135, 175])).toBe(67);
    expect(nearest256([8, 8, 8])).toBe(232);
    expect(nearest256([255, 255, 255])).toBe(231);
    expect(nearest16([0, 0, 0])).toBe(0);
    expect(nearest16([120, 120, 120])).toBe(8);
  });

  test.each([
    [{ TUIMARK_COLOR: '16', NO_COLOR: '1' }, '16'],
    [{ NO_COLOR: '1', TERM: 'xterm-256color' }, 'none'],
    [{ WT_SESSION: 'x' }, 'truecolor'],
    [{}, 'none'],
    [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 'none'],
    [{ TERM: 'xterm', COLORTERM: '24BIT' }, 'truecolor'],
    [{ TERM: 'tmux-256color', COLORTERM: 'truecolor' }, '256'],
    [{ TERM: 'xterm-kitty' }, 'truecolor'],
    [{ TERM: 'xterm-direct' }, 'truecolor'],
    [{ TERM: 'xterm-256color' }, '256'],
    [{ TERM: 'screen' }, '256'],
    [{ TERM: 'xterm' }, '16'],
  ])('U-175 G-199 %j', (env, depth) => expect(detectDepth(env)).toBe(depth));

  test.each([
    ['\u001b]11;rgb:0000/0000/0000\u001b\\', 'dark'],
    ['x\u001b]11;rgb:ff/ff/ff\u0007', 'light'],
    ['\u001b]11;rgb:8000/0000/7fff\u0007', 'dark'],
    ['\u001b]10;rgb:ff/ff/ff\u0007', null],
  ])('U-073 G-201 background reply %j', (reply, theme) => expect(themeOfReply(reply)).toBe(theme));

  test.each([
    ['0;15', 'light'],
    ['15;0', 'dark'],
    ['7', 'light'],
    ['1;8', 'dark'],
    ['', 'dark'],
    ['0;default', 'dark'],
  ])('G-201 COLORFGBG %j', (value, theme) =>
    expect(themeOfEnvironment({ COLORFGBG: value })).toBe(theme),
  );
});

describe('input', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test('G-197 a sequence cut between reads is one key', () => {
    const reader = new InputReader();
    expect(reader.push(bytes('a\u001b'))).toEqual(decodeInput('a'));
    expect(reader.isWaiting).toBe(true);
    expect(reader.push(bytes('[A'))).toEqual(decodeInput('\u001b[A'));
    expect(reader.isWaiting).toBe(false);
  });

  test('G-197 a lone ESC is the key once nothing more comes', () => {
    const reader = new InputReader();
    expect(reader.push(bytes('\u001b'))).toEqual([]);
    expect(reader.flush()).toEqual(decodeInput('\u001b'));
    expect(reader.isWaiting).toBe(false);
  });

  test('G-197 U-188 a paste is waited for, however it is cut', () => {
    const reader = new InputReader();
    expect(reader.push(bytes('\u001b[200~one \u001b[1m'))).toEqual([]);
    expect(reader.flush()).toEqual([]);
    expect(reader.push(bytes('two\u001b[201~x'))).toEqual(
      decodeInput('\u001b[200~one \u001b[1mtwo\u001b[201~x'),
    );
  });

  test('U-232 a sequence that never ends is dropped after its limit', () => {
    const reader = new InputReader();
    reader.push(bytes(`\u001b[${'1;'.repeat(200)}`));
    expect(reader.isWaiting).toBe(false);
    reader.push(bytes(`\u001b]0;${'x'.repeat(5000)}`));
    expect(reader.isWaiting).toBe(false);
  });

  test('G-174 U-187 the cuts never change what is decoded', () => {
    const piece = fc.constantFrom(
      'a',
      'é',
      '\u001b[A',
      '\u001bOB',
      '\u001b[<0;3;4M',
      '\u001b]0;t\u0007',
      '\u001b[200~p\u001b[201~',
      '\r',
      ' ',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.array(fc.nat(60), { maxLength: 6 }),
        (pieces, cuts) => {
          const whole = bytes(pieces.join(''));
          const places = [...new Set(cuts.filter((cut) => cut < whole.length))].sort(
            (a, b) => a - b,
          );
          const reader = new InputReader();
          const inputs = [];
          let from = 0;
          for (const place of [...places, whole.length]) {
            inputs.push(...reader.push(whole.subarray(from, place)));
            from = place;
          }
          expect(inputs).toEqual(decodeInput(pieces.join('')));
        },
      ),
    );
  });
});

describe('host messages', () => {
  test.each([
    ['5', null, 'not a JSON object'],
    ['{', null, 'not a JSON object'],
    ['{"id":[1],"type":"set"}', null, '"id" must be a number or a string'],
    ['{"id":1}', '1', 'missing or non-string "type"'],
    ['{"id":"x","type":"frob"}', '"x"', 'unknown type "frob"'],
    ['{"type":"set","value":1}', null, '"set" needs a string "path"'],
    ['{"type":"bind","path":"a"}', null, '"bind" needs "value"'],
    ['{"type":"get","path":"a"}', null, '"get" needs "id" and a string "path"'],
    ['{"type":"batch"}', null, '"batch" needs a "writes" array'],
    [
      '{"type":"batch","writes":[{"path":"a","value":1},{"path":"b"}]}',
      null,
      '"writes"[1] needs a string "path" and a "value"',
    ],
    ['{"type":"reply","seq":1.5}', null, '"reply" needs an integer "seq"'],
    ['{"type":"reply","seq":9223372036854775808}', null, '"reply" needs an integer "seq"'],
    ['{"type":"reply","seq":1,"quit":1}', null, '"quit" must be true or false'],
    ['{"type":"reply","seq":1,"error":1}', null, '"error" must be a string'],
  ])('U-178 %s', (line, id, error) => expect(readHostMessage(line)).toEqual({ id, error }));

  test('U-178 an entry of a batch that is no object', () => {
    expect(readHostMessage('{"type":"batch","writes":[1]}')).toMatchObject({
      error: expect.stringMatching(/^every "writes" entry must be an object/),
    });
  });

  test('U-178 U-179 good messages; seq is any integer form, kept as sent', () => {
    expect(
      readHostMessage('{"type":"batch","id":1.0,"writes":[{"path":"a","value":null}]}'),
    ).toEqual({
      id: '1.0',
      kind: 'write',
      writes: [{ path: 'a', value: null }],
    });
    expect(readHostMessage('{"type":"reply","seq":1e1,"quit":true}')).toEqual({
      id: null,
      kind: 'reply',
      seq: 10n,
      seqText: '1e1',
      quit: true,
      error: null,
    });
  });

  test.each([
    ['5s', 5000],
    ['100ms', 100],
    ['1m', 60_000],
    ['1m30s', 90_000],
    ['1.5s', 1500],
    ['.5s', 500],
    ['-1s', -1000],
    ['0', 0],
    ['5', null],
    ['', null],
    ['s', null],
    ['5 s', null],
  ])('U-176 duration %j', (text, ms) => expect(parseDuration(text)).toBe(ms));
});
