import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTuiServer } from '../../src/mcp/tui.ts';
import { TUI_TOOLS } from '../../src/mcp/tui-tools.ts';
import { runTool } from '../../src/tui/commands/tools.ts';
import { doc, memoryFiles } from '../tui/tools.ts';

const FILES = {
  'a.tui': doc('<text>hi {q}</text><input id="i" bind="q" on:submit="go"/>'),
  'bad.tui': doc('<lsit/>'),
  'd.json': '{"q":"x"}',
};

const server = createTuiServer(memoryFiles(FILES));

/** The answer to a line as it is on the wire. */
function send(line: string | object): Promise<string | null> {
  return server.handle(typeof line === 'string' ? line : JSON.stringify(line));
}

/** Result of a call of one tool. */
// biome-ignore lint/suspicious/noExplicitAny: results are looked into freely
async function call(name: string, args?: object): Promise<any> {
  const answer = await send({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  return JSON.parse(answer!).result;
}

describe('U-236 the exchange of the contract', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', null],
    [
      '{"jsonrpc":"2.0","id":"x","method":"server/discover"}',
      '{"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"method not found: server/discover"}}',
    ],
    ['[]', '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}'],
    ['nope', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}'],
  ])('U-236 U-212 U-217 %s', async (line, answer) => expect(await send(line)).toBe(answer));

  test.each([
    ['tuimark_dump', {}, 'tuimark: missing argument "file"\n'],
    ['tuimark_dump', { file: 'a.tui', cols: '80' }, 'tuimark: cols: want integer\n'],
    ['tuimark_play', { file: 'a.tui', input: 'tab' }, 'tuimark: unknown argument "input"\n'],
    ['tuimark_dump', { file: 'nope.tui' }, 'tuimark: open nope.tui: no such file or directory\n'],
    [
      'tuimark_dump',
      { file: 'a.tui', theme: 'auto' },
      'tuimark: --theme must be dark or light (got "auto")\n',
    ],
    [
      'tuimark_dump',
      { file: 'a.tui', rows: 0 },
      'tuimark: --cols and --rows must be between 1 and 1000 (got 80x0)\n',
    ],
  ])('U-236 %s %j', async (name, args, text) => {
    expect(await call(name, args)).toEqual({ content: [{ text, type: 'text' }], isError: true });
  });

  test('U-236 U-224 a document with errors is no error of the call', async () => {
    const result = await call('tuimark_dump', { file: 'bad.tui' });
    expect(Object.keys(result)).toEqual(['content']);
    expect(JSON.parse(result.content[0].text).ok).toBe(false);
  });
});

describe('lines and requests', () => {
  test('U-210 blank lines are skipped, a trailing CR is ignored', async () => {
    expect(await send('')).toBeNull();
    expect(await send(' \t\r')).toBeNull();
    expect(await send('{"jsonrpc":"2.0","id":1,"method":"ping"}\r')).toContain('result');
  });

  test('U-212 the id comes back as sent, white space removed', async () => {
    const ids = ['1.50', '"a b"', '{ "x" : [ 1e2 , "<" ] }', 'null', '"\\u0041"', 'true'];
    const answers = await Promise.all(
      ids.map((id) => send(`{"jsonrpc":"2.0","id": ${id} ,"method":"ping"}`)),
    );
    expect(answers.map((answer) => /"id":(.*),"result"/.exec(answer!)![1])).toEqual([
      '1.50',
      '"a b"',
      '{"x":[1e2,"\\u003c"]}',
      'null',
      '"\\u0041"',
      'true',
    ]);
  });

  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping","x":1e400}', 'null', -32700, 'parse error'],
    ['{"jsonrpc":"2.0","id":1', 'null', -32700, 'parse error'],
    ['"x"', 'null', -32600, 'invalid request'],
    ['{"id":7,"method":"ping"}', '7', -32600, 'invalid request'],
    ['{"jsonrpc":2.0,"id":7,"method":"ping"}', '7', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","method":5}', 'null', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":3,"result":{}}', '3', -32600, 'invalid request'],
    ['{"jsonrpc":"2.0","id":3,"method":null}', '3', -32601, 'method not found: '],
    ['{"jsonrpc":"2.0","id":3,"method":"tools/call"}', '3', -32602, 'params must be an object'],
    [
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}',
      '3',
      -32602,
      'params must be an object',
    ],
    ['{"jsonrpc":"2.0","id":3,"method":"tools/call","params":null}', '3', -32602, 'missing "name"'],
    [
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":5}}',
      '3',
      -32602,
      '"name" must be a string',
    ],
    [
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":null}}',
      '3',
      -32602,
      'unknown tool: ',
    ],
    [
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x","arguments":1}}',
      '3',
      -32602,
      'unknown tool: x',
    ],
    [
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"tuimark_dump","arguments":null}}',
      '3',
      -32602,
      'arguments must be an object',
    ],
    [
      '{"jsonrpc":"2.0","id":2,"id":3,"method":"ping","method":"zz"}',
      '3',
      -32601,
      'method not found: zz',
    ],
  ])('U-213 %s', async (line, id, code, message) => {
    expect(await send(line)).toBe(
      `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`,
    );
  });

  test('U-213 absent arguments are an empty object', async () => {
    expect(await call('tuimark_agents')).not.toHaveProperty('isError');
  });

  test('U-214 notifications are neither answered nor executed', async () => {
    const files = memoryFiles(FILES);
    const quiet = createTuiServer(files);
    for (const method of ['tools/call', 'ping', 'zz']) {
      const params = { name: 'tuimark_dump', arguments: { file: 'a.tui' } };
      expect(await quiet.handle(JSON.stringify({ jsonrpc: '2.0', method, params }))).toBeNull();
    }
    expect(files.reads).toEqual([]);
    expect(await send('{"jsonrpc":"2.0","id":null,"method":"ping"}')).toBe(
      '{"jsonrpc":"2.0","id":null,"result":{}}',
    );
  });

  test('U-209 U-215 nothing requires initialize; calls are answered in order, without state', async () => {
    const lines = ['tuimark_validate', 'tuimark_dump', 'tuimark_validate'].map((name, id) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name, arguments: { file: 'a.tui' } },
      }),
    );
    const order: number[] = [];
    const answers = await Promise.all(
      lines.map(async (line, i) => {
        const answer = await server.handle(line);
        order.push(i);
        return JSON.parse(answer!).result;
      }),
    );
    expect(order).toEqual([0, 1, 2]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('U-213 whatever the line, the answer is one line of JSON or nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (line) => {
        const answer = await send(line);
        if (answer === null) return;
        expect(answer).not.toContain('\n');
        expect(JSON.parse(answer).jsonrpc).toBe('2.0');
      }),
    );
  });
});

describe('initialize and tools/list', () => {
  test.each([
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2024-11-05'],
    ['2023-01-01', '2025-11-25'],
    [5, '2025-11-25'],
  ])('U-216 protocol %j', async (asked, answered) => {
    const answer = await send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: asked },
    });
    expect(answer).toMatch(
      new RegExp(
        `^{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"tools":{"listChanged":false}},"protocolVersion":"${answered}","serverInfo":{"name":"tuimark","version":"[^"]+"}}}$`,
      ),
    );
  });

  test('U-216 malformed params are ignored', async () => {
    expect(await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: 7 })).toContain(
      '2025-11-25',
    );
  });

  test('U-218 U-219 the list of tools, members sorted', async () => {
    const answer = await send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { cursor: 'x' },
    });
    const { tools } = JSON.parse(answer!).result;
    expect(tools.map(({ name }: { name: string }) => name).join(' ')).toBe(
      'tuimark_validate tuimark_dump tuimark_play tuimark_inspect tuimark_agents',
    );
    for (const tool of tools) {
      expect(Object.keys(tool)).toEqual(['annotations', 'description', 'inputSchema', 'name']);
      expect(tool.annotations).toEqual({ readOnlyHint: true });
      expect(tool.description.length).toBeLessThan(2048);
      expect(tool.description).toContain('Use when');
      const names = Object.keys(tool.inputSchema.properties);
      expect(names).toEqual([...names].sort());
    }
    expect(tools[0].inputSchema).toEqual({
      additionalProperties: false,
      properties: {
        catalog: { type: 'string' },
        data: { type: 'string' },
        file: { type: 'string' },
        strict: { type: 'boolean' },
        theme: { enum: ['dark', 'light'], type: 'string' },
      },
      required: ['file'],
      type: 'object',
    });
    expect(Object.keys(tools[0].inputSchema)).toEqual([
      'additionalProperties',
      'properties',
      'required',
      'type',
    ]);
    expect(tools[2].inputSchema.properties.steps).toEqual({
      items: { type: 'string' },
      type: 'array',
    });
    expect(tools[2].inputSchema.properties.cols).toEqual({
      maximum: 1000,
      minimum: 1,
      type: 'integer',
    });
    expect(tools[4].inputSchema).toEqual({
      additionalProperties: false,
      properties: {},
      type: 'object',
    });
  });
});

describe('arguments', () => {
  test('U-220 the command line of each tool, in its order', () => {
    const shape = TUI_TOOLS.map(({ arguments: taken, tail }) =>
      [...taken.map(({ name, type }) => `${name}:${type[0]}`), ...tail].join(' '),
    );
    expect(shape).toEqual([
      'file:s data:s theme:s strict:b catalog:s --json',
      'file:s data:s cols:i rows:i theme:s styles:b cells:b strict:b --format json',
      'file:s steps:s data:s cols:i rows:i theme:s strict:b styles:b cells:b frames:b --format json',
      'file:s data:s cols:i rows:i theme:s strict:b at:s id:s --json',
      '',
    ]);
  });

  test.each([
    [{ zz: 1, file: 5 }, 'unknown argument "zz"'],
    [{ cols: 'x' }, 'missing argument "file"'],
    [{ cols: 'x', file: 5 }, 'cols: want integer'],
    [{ file: null }, 'file: want string'],
    [{ file: 'a', strict: 'true' }, 'strict: want boolean'],
    [{ file: 'a', cols: 1.5 }, 'cols: want integer'],
    [{ file: 'a', cols: null }, 'cols: want integer'],
    [{ file: 'a', steps: 'tab' }, 'unknown argument "steps"'],
  ])('U-221 %j', async (args, message) => {
    expect((await call('tuimark_dump', args)).content[0].text).toBe(`tuimark: ${message}\n`);
  });

  test('U-221 steps must all be strings', async () => {
    expect((await call('tuimark_play', { file: 'a', steps: ['a', 1] })).content[0].text).toBe(
      'tuimark: steps: want array of strings\n',
    );
  });

  test.each([
    ['1e1', '"cols": 10'],
    ['12.50e1', '"cols": 125'],
    ['1.0', '"cols": 1'],
    ['0', 'tuimark: --cols and --rows must be between 1 and 1000 (got 0x24)\n'],
    ['-5', 'tuimark: --cols and --rows must be between 1 and 1000 (got -5x24)\n'],
    ['1001', 'tuimark: --cols and --rows must be between 1 and 1000 (got 1001x24)\n'],
    [
      '99999999999999999999',
      'invalid value "99999999999999999999" for flag -cols: value out of range\nUsage of dump:\n',
    ],
    ['1e300', `invalid value "1${'0'.repeat(300)}" for flag -cols: value out of range\n`],
    ['1.0000000000000001', 'tuimark: cols: want integer\n'],
  ])('U-222 cols %s', async (literal, text) => {
    const answer = await send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tuimark_dump","arguments":{"file":"a.tui","cols":${literal}}}}`,
    );
    expect(JSON.parse(answer!).result.content[0].text).toContain(text);
  });

  test.each([
    [
      'tuimark_validate',
      { file: 'a.tui', strict: true, data: 'd.json' },
      ['validate', 'a.tui', '--data', 'd.json', '--strict', '--json'],
    ],
    ['tuimark_validate', { file: 'bad.tui', strict: false }, ['validate', 'bad.tui', '--json']],
    [
      'tuimark_dump',
      { file: 'a.tui', cols: 20, rows: 3, styles: true, cells: true },
      ['dump', 'a.tui', '--cols', '20', '--rows', '3', '--styles', '--cells', '--format', 'json'],
    ],
    ['tuimark_inspect', { file: 'a.tui', id: 'i' }, ['inspect', 'a.tui', '--id', 'i', '--json']],
    ['tuimark_inspect', { file: 'a.tui' }, ['inspect', 'a.tui', '--json']],
    ['tuimark_dump', { file: '-h' }, ['dump', '-h', '--format', 'json']],
    ['tuimark_dump', { file: '--' }, ['dump', '--', '--format', 'json']],
    ['tuimark_dump', { file: '-x.tui' }, ['dump', '-x.tui', '--format', 'json']],
    ['tuimark_agents', {}, ['agents']],
    [
      'tuimark_play',
      { file: 'a.tui', steps: [], frames: true },
      ['play', 'a.tui', '--frames', '--format', 'json'],
    ],
  ])(
    'U-223 U-224 U-226 %s %j is byte for byte the command',
    async (name, args, [command, ...words]) => {
      const result = await call(name, args);
      const { stdout, stderr, exitCode } = await runTool(command!, words, memoryFiles(FILES));
      expect(result).toEqual({
        content: [{ text: exitCode === 1 ? stderr : stdout, type: 'text' }],
        ...(exitCode === 1 ? { isError: true } : {}),
      });
    },
  );

  test('U-225 a step is parsed whole and reported as given', async () => {
    const played = await call('tuimark_play', {
      file: 'a.tui',
      steps: ['text:a b', 'enter'],
      frames: true,
    });
    const out = JSON.parse(played.content[0].text);
    expect(out.events).toEqual([{ step: 2, action: 'go', source: 'i', keys: {}, value: 'a b' }]);
    expect(out.frames.map(({ input }: { input: string }) => input)).toEqual([
      '',
      'text:a b',
      'enter',
    ]);
    const refused = await call('tuimark_play', { file: 'a.tui', steps: ['tab', ''] });
    expect(refused).toEqual({
      content: [{ text: 'tuimark: play: step 2 (): not a valid key token\n', type: 'text' }],
      isError: true,
    });
  });

  test('U-226 the briefing ends with LF after a sentence', async () => {
    expect((await call('tuimark_agents')).content[0].text).toMatch(/\.\n$/);
  });
});
