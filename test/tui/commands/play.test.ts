import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_SCRIPT_LINE, parseScriptLine, scriptLines } from '../../../src/tui/steps/script.ts';
import { parseStep, splitInput } from '../../../src/tui/steps/words.ts';
import { doc, json, tool } from '../tools.ts';

const INPUT = doc(
  '<input id="i" bind="q" on:change="typed" on:submit="sent"/><button id="b" label="go" on:click="go"/>',
  2,
  '<keymap><bind keys="ctrl+q" action="quit"/><bind keys="ctrl+s" action="save"/></keymap>',
);
const A = { 'a.tui': INPUT };

describe('steps of --input', () => {
  test('U-183 words are separated by spaces only', () => {
    expect(splitInput('  a   text:x\ty  ')).toEqual(['a', 'text:x\ty']);
  });

  test.each([
    ['text:a:b', { kind: 'text', text: 'a:b' }],
    ['text:', { kind: 'text', text: '' }],
    ['paste:x', { kind: 'paste', text: 'x' }],
    ['set:a.b={"x":1}', { kind: 'set', path: 'a.b' }],
    ['set:={}', { kind: 'set', path: '' }],
    ['set:@theme="dark"', { kind: 'set', path: '@theme', value: 'dark' }],
    ['focus:#id', { kind: 'focus', id: 'id' }],
    ['focus:##id', { kind: 'focus', id: '#id' }],
    ['resize:100x30', { kind: 'resize', cols: 100, rows: 30 }],
    ['click:-1,5', { kind: 'click', x: -1, y: 5 }],
    ['wheel-up:1,2', { kind: 'wheel', direction: 'up', x: 1, y: 2 }],
    [':', { kind: 'key', key: ':' }],
    ['enter', { kind: 'key', key: 'enter' }],
  ])('U-183 %s', (step, parsed) =>
    expect(parseStep(step)).toMatchObject({ ...parsed, written: step }),
  );

  test.each([
    ['frob', 'not a valid key token'],
    ['', 'not a valid key token'],
    ['set:a', 'set: wants PATH=JSON'],
    ['set:a=', 'bad JSON value: unexpected end of JSON input'],
    ['set:a=NaN', "bad JSON value: invalid character 'N' looking for beginning of value"],
    ['resize:80', 'bad size "80" (want COLSxROWS)'],
    ['resize:ax24', 'bad size "ax24": strconv.Atoi: parsing "a": invalid syntax'],
    ['resize:80x24x1', 'bad size "80x24x1": strconv.Atoi: parsing "24x1": invalid syntax'],
    [
      'resize:99999999999999999999x1',
      'bad size "99999999999999999999x1": strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    ['resize:0x24', '--cols and --rows must be between 1 and 1000 (got 0x24)'],
    ['click:5', 'click: want X,Y'],
    ['click:1,2,3', 'click: "2,3" is not a decimal integer'],
    ['click:+1,2', 'click: "+1" is not a decimal integer'],
    ['wheel-down:1,1234567890', 'wheel-down: "1234567890" is not a decimal integer'],
  ])('U-183 %j is refused', (step, reason) => expect(parseStep(step)).toEqual({ reason }));

  test.each([
    ['ctrl+i', 'tab'],
    ['ctrl+j', 'enter'],
    ['ctrl+m', 'enter'],
    ['space', 'space'],
  ])('U-184 %s is delivered as %s', (step, key) =>
    expect(parseStep(step)).toEqual({ kind: 'key', key, written: step }),
  );
});

describe('lines of --script', () => {
  test('U-185 lines are trimmed, blank ones skipped, bounded', () => {
    expect(scriptLines(' {"key":"a"} \r\n\n\t\n{"key":"b"}')).toEqual([
      '{"key":"a"}',
      '{"key":"b"}',
    ]);
    expect(scriptLines('x'.repeat(MAX_SCRIPT_LINE))).not.toBeNull();
    expect(scriptLines(`a\n${'x'.repeat(MAX_SCRIPT_LINE + 1)}`)).toBeNull();
  });

  test.each([
    ['{"key": "ctrl+m"}', { kind: 'key', key: 'enter' }],
    ['{"text": "a b"}', { kind: 'text', text: 'a b' }],
    ['{"paste": ""}', { kind: 'paste', text: '' }],
    ['{"set": {"path": "a", "value": null}}', { kind: 'set', path: 'a', value: null }],
    ['{"focus": "#i"}', { kind: 'focus', id: 'i' }],
    ['{"resize": [10, 20]}', { kind: 'resize', cols: 10, rows: 20 }],
    ['{"click": [-1, 2]}', { kind: 'click', x: -1, y: 2 }],
    ['{"at": [1, 2], "wheel": "down"}', { kind: 'wheel', direction: 'down', x: 1, y: 2 }],
    ['{"theme": "auto"}', { kind: 'set', path: '@theme', value: 'auto' }],
  ])('U-185 %s', (line, step) =>
    expect(parseScriptLine(line)).toMatchObject({ ...step, written: line }),
  );

  const list = 'key, text, paste, set, focus, resize, click, wheel with at, theme';
  test.each([
    ['{', 'bad JSON: unexpected end of JSON input'],
    ['[]', 'bad JSON: want a JSON object'],
    ['{"key":"a","key":"b"}', 'bad JSON: duplicate member "key"'],
    ['{"key":"a"} x', "bad JSON: invalid character 'x' after top-level value"],
    ['{}', `no known step member (want one of ${list})`],
    ['{"Key":"a"}', `no known step member (want one of ${list})`],
    ['{"key":"a","text":"b"}', 'more than one step member on one line'],
    ['{"key":"a","frob":1}', `unknown step member "frob" (want one of ${list})`],
    ['{"key":"a","at":[1,2]}', `unknown step member "at" (want one of ${list})`],
    [
      '{"key":1}',
      'key: want a JSON string: json: cannot unmarshal number into Go value of type string',
    ],
    [
      '{"text":null}',
      'text: want a JSON string: json: cannot unmarshal null into Go value of type string',
    ],
    ['{"key":"frob"}', '"frob" is not a valid key token'],
    [
      '{"set":{"path":"a","value":1,"z":2,"y":3}}',
      'set: unknown member "z" (want exactly "path" and "value")',
    ],
    ['{"set":{"path":"a"}}', 'set: wants {"path": ..., "value": ...} (both required)'],
    ['{"set":[]}', 'set: wants {"path": ..., "value": ...} (both required)'],
    [
      '{"set":{"path":1,"value":1}}',
      'set.path: want a JSON string: json: cannot unmarshal number into Go value of type string',
    ],
    [
      '{"set":{"path":"a","value":1e400}}',
      'set: bad JSON value: json: cannot unmarshal number 1e400 into Go value of type float64',
    ],
    [
      '{"resize":5}',
      'resize: want [COLS,ROWS]: json: cannot unmarshal number into Go value of type []json.RawMessage',
    ],
    ['{"resize":[1,2,3]}', 'resize: want exactly [COLS,ROWS] (2 elements), got 3'],
    [
      '{"resize":[1.5,2]}',
      'resize: COLS must be an integer: json: cannot unmarshal number 1.5 into Go value of type int',
    ],
    [
      '{"resize":[1,"2"]}',
      'resize: ROWS must be an integer: json: cannot unmarshal string into Go value of type int',
    ],
    ['{"resize":[1,0]}', '--cols and --rows must be between 1 and 1000 (got 1x0)'],
    ['{"click":[1]}', 'click: want exactly [X,Y] (2 elements), got 1'],
    [
      '{"click":["a",1]}',
      'click: X must be an integer: json: cannot unmarshal string into Go value of type int',
    ],
    [
      '{"wheel":"up","at":[1,true]}',
      'at: Y must be an integer: json: cannot unmarshal bool into Go value of type int',
    ],
    ['{"wheel":"up","z":1}', 'wheel: unknown member "z" (want exactly "wheel" and "at")'],
    ['{"wheel":"up"}', 'wheel: wants {"wheel": "up" or "down", "at": [X,Y]}'],
    ['{"wheel":"left","at":[1,2]}', 'wheel: want "up" or "down", got "left"'],
    ['{"theme":"blue"}', 'theme: want "dark", "light", or "auto", got "blue"'],
  ])('U-186 %s', (line, reason) => expect(parseScriptLine(line)).toEqual({ reason }));

  test('U-186 whatever the line, the result is a step or a reason', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (line) => {
        const parsed = parseScriptLine(line);
        expect('reason' in parsed ? parsed.reason !== '' : parsed.written === line).toBe(true);
      }),
    );
  });
});

describe('play', () => {
  test('U-181 input and script exclude each other; empty counts as not given', async () => {
    const files = { ...A, s: '{"key":"tab"}' };
    expect((await tool('play a.tui --input a --script s', files)).stderr).toBe(
      'tuimark: play: --input and --script are mutually exclusive\n',
    );
    expect((await json('play a.tui --input= --script s --format json', files)).focus).toBe('b');
    expect((await json('play a.tui --format json', files)).focus).toBe('i');
  });

  test('U-237 U-182 step errors', async () => {
    expect(await tool(['play', 'a.tui', '--input', 'frob'], A)).toEqual({
      stdout: '',
      stderr: 'tuimark: play: step 1 (frob): not a valid key token\n',
      exitCode: 1,
    });
    const { stderr } = await tool(['play', 'a.tui', '--input', 'tab set:@screen="x"'], A);
    expect(stderr).toBe(
      'tuimark: play: step 2 (set:@screen="x"): tuimark: no screen with id "x"\n',
    );
    const outside = await tool(['play', 'a.tui', '--input', 'click:80,0'], A);
    expect(outside.stderr).toBe(
      'tuimark: play: step 1 (click:80,0): cell 80,0 is outside the 80x24 grid\n',
    );
    const script = await tool('play a.tui --script s', { ...A, s: '{"key":"tab"}\n\n{"key":5}' });
    expect(script.stderr).toBe(
      'tuimark: play: step 2 ({"key":5}): key: want a JSON string: json: cannot unmarshal number into Go value of type string\n',
    );
  });

  test('U-185 a script line that is too long', async () => {
    const { stderr } = await tool('play a.tui --script s', {
      ...A,
      s: 'x'.repeat(2 * MAX_SCRIPT_LINE),
    });
    expect(stderr).toBe('tuimark: play: bufio.Scanner: token too long\n');
  });

  test('U-180 U-192 the text output', async () => {
    const { stdout } = await tool(
      ['play', 'a.tui', '--cols', '12', '--rows', '2', '--input', 'text:h<\r tab enter'],
      A,
    );
    expect(stdout.slice(stdout.indexOf('=== events'))).toBe(
      '=== events ===\n1 typed i {} "h\\u003c"\n1 sent i {} "h\\u003c"\n3 go b {} null\n',
    );
    expect(stdout).toMatch(/^=== grid 12x2 ===\nh< {10}\n/);
    expect((await tool('play a.tui', A)).stdout).toMatch(/=== events ===\nnone\n$/);
  });

  test('U-193 frames in the text output', async () => {
    const { stdout } = await tool(['play', 'a.tui', '--frames', '--input', 'tab ctrl+s'], A);
    expect(stdout.match(/^=== (step|events).*$/gm)).toEqual([
      '=== step 0 ===',
      '=== events ===',
      '=== step 1: tab ===',
      '=== events ===',
      '=== step 2: ctrl+s ===',
      '=== events ===',
      '=== events ===',
    ]);
  });

  test('U-194 U-190 the JSON output; quit ends the session', async () => {
    const out = await json(
      ['play', 'a.tui', '--format', 'json', '--frames', '--cells', '--input', 'ctrl+s ctrl+q tab'],
      A,
    );
    expect(Object.keys(out)).toEqual([
      'cols',
      'rows',
      'ok',
      'focus',
      'errors',
      'nodes',
      'grid',
      'cells',
      'events',
      'frames',
    ]);
    expect(out.events).toEqual([
      { step: 1, action: 'save', source: 'i', keys: {}, value: '' },
      { step: 2, action: 'quit', source: 'i', keys: {}, value: '' },
    ]);
    expect(
      out.frames.map(({ step, input }: { step: number; input: string }) => [step, input]),
    ).toEqual([
      [0, ''],
      [1, 'ctrl+s'],
      [2, 'ctrl+q'],
    ]);
    expect(Object.keys(out.frames[1])).toEqual(['step', 'input', 'events', 'dump']);
    expect(out.frames[1].dump.cells).toHaveLength(80 * 24);
    expect((await json('play a.tui --format json', A)).frames).toBeUndefined();
  });

  test('U-194 keys of an event are sorted by bytes', async () => {
    const body = '<list id="l" each="rows as r" key="r.k" on:select="s"><item/></list>';
    const files = { 'a.tui': doc(body), d: '{"rows":[{"k":0},{"k":{"b":1,"a":2}}]}' };
    const { stdout } = await tool(['play', 'a.tui', '--data', 'd', '--input', 'down'], files);
    expect(stdout).toContain('1 s l {"r":{"a":2,"b":1}} null\n');
  });

  test('U-191 set and focus fire nothing by themselves', async () => {
    const out = await json(
      ['play', 'a.tui', '--format', 'json', '--input', 'set:q="x" focus:#b'],
      A,
    );
    expect([out.events, out.focus]).toEqual([[], 'b']);
  });

  test('U-189 lifecycle events of the frames between steps are dispatched', async () => {
    const files = { 'a.tui': doc('<modal id="m" open="o" on:open="opened"/>') };
    const out = await json(['play', 'a.tui', '--format', 'json', '--input', 'set:o=true'], files);
    expect(out.events).toEqual([{ step: 1, action: 'opened', source: 'm', keys: {}, value: null }]);
  });

  test('U-195 exit and ok follow the final frame', async () => {
    const files = { 'a.tui': doc('<text>{q}</text>') };
    const words = ['play', 'a.tui', '--strict', '--input'];
    expect((await tool([...words, 'set:z=1'], files)).exitCode).toBe(2);
    expect((await tool([...words, 'set:q=1'], files)).exitCode).toBe(0);
  });

  test.each([
    ['text:a\u001b[Db\u007f', 'a'],
    ['text:\u001b]0;t\u0007x\u001b[?25hy', 'xy'],
    ['text:\u001b[200~p\nq\u001b[201~', 'p q'],
    ['text:a\u0000é\u001b[3~', 'aé'],
    ['paste:a\u001b[1mb', 'ab'],
  ])('U-187 U-188 %j leaves %j in the input', async (step, value) => {
    const out = await json(['play', 'a.tui', '--format', 'json', '--script', 's'], {
      ...A,
      s: JSON.stringify({ [step.split(':')[0]!]: step.slice(step.indexOf(':') + 1) }),
    });
    expect(out.nodes.find(({ id }: { id: string }) => id === 'i').text).toBe(value);
  });
});
