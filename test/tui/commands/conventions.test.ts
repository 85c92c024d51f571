import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { runTuiCommand } from '../../../src/tui/commands/index.ts';
import { COMMANDS } from '../../../src/tui/commands/table.ts';
import { doc, memoryFiles, tool, written } from '../tools.ts';

/** Run a whole command line; streams are collected. */
async function run(argv: readonly string[], files = {}, stdin = '') {
  const streams = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  };
  streams.stdin.end(stdin);
  const exitCode = await runTuiCommand(argv, { files: memoryFiles(files), env: {}, ...streams });
  return { exitCode, stdout: written(streams.stdout), stderr: written(streams.stderr) };
}

const A = { 'a.tui': doc('<text>hi</text>'), 'b.tui': doc('<lsit/>') };

describe('commands', () => {
  test('U-131 U-132 no command: help on stderr, exit 1', async () => {
    const { exitCode, stdout, stderr } = await run([]);
    expect([exitCode, stdout]).toEqual([1, '']);
    for (const name of 'validate dump play inspect agents fmt test ir preview host mcp version help run shot'.split(
      ' ',
    )) {
      expect(stderr).toMatch(new RegExp(`^  ${name}( |$)`, 'm'));
    }
    expect(stderr.trimEnd()).toMatch(/Exit codes:\n.*\n.*\n.*$/);
  });

  test.each(['help', '--help', '-h'])('U-132 %s: help on stdout, exit 0', async (word) => {
    const { exitCode, stdout, stderr } = await run([word]);
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const { flags } of COMMANDS)
      for (const { name } of flags) expect(stdout).toContain(`--${name}`);
  });

  test('U-132 an unknown command', async () => {
    const { exitCode, stdout, stderr } = await run(['fr"ob']);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr.startsWith('tuimark: unknown command "fr\\"ob"\n\n')).toBe(true);
    expect(stderr.endsWith((await run(['help'])).stdout)).toBe(true);
  });

  test.each(['version', '--version', '-v'])('U-133 %s, further words ignored', async (word) => {
    const { exitCode, stdout } = await run([word, '--frob', 'x']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^tuimark [^ \n]+\n$/);
  });

  test('U-147 the flags of each command', () => {
    const flags = (command: string) =>
      COMMANDS.find(({ name }) => name === command)!
        .flags.map(({ name, type }) => `${name}:${type}`)
        .sort()
        .join(' ');
    expect(flags('dump')).toBe(
      'cells:bool cols:int data:string format:string rows:int strict:bool styles:bool theme:string',
    );
    expect(flags('validate')).toBe('catalog:string data:string json:bool strict:bool theme:string');
    expect(flags('play')).toBe(
      'cells:bool cols:int data:string format:string frames:bool input:string rows:int script:string strict:bool styles:bool theme:string',
    );
    expect(flags('inspect')).toBe(
      'at:string cols:int data:string id:string json:bool rows:int strict:bool theme:string',
    );
    expect(flags('preview')).toBe(
      'color:string cols:int data:string rows:int theme:string watch:bool',
    );
    expect(flags('fmt')).toBe('check:bool write:bool');
    expect(flags('test')).toBe('allow-breaking:bool update:bool');
    expect(flags('host')).toBe('data:string reply-timeout:string theme:string');
    expect(flags('ir') + flags('agents') + flags('mcp')).toBe('');
  });
});

describe('exit codes and error lines', () => {
  test.each([
    ['dump a.tui', 0],
    ['dump b.tui', 2],
    ['validate b.tui', 2],
    ['inspect b.tui --id s', 2],
    ['play b.tui', 2],
    ['ir b.tui', 2],
    ['fmt --check a.tui', 2],
    ['dump zz.tui', 1],
  ])('U-134 %s exits %d', async (line, exitCode) => {
    const result = await tool(line, A);
    expect(result.exitCode).toBe(exitCode);
    if (exitCode === 1) expect(result.stdout).toBe('');
  });

  test.each([
    ['dump', 'tuimark: tuimark dump: want exactly one FILE, got 0\n'],
    ['validate a b', 'tuimark: tuimark validate: want exactly one FILE, got 2\n'],
    ['agents x', 'tuimark: tuimark agents: takes no arguments\n'],
    ['test a b', 'tuimark: tuimark test: want at most one DIR, got 2\n'],
  ])('U-135 U-140 %s', async (line, stderr) => {
    expect(await tool(line, A)).toEqual({ stdout: '', stderr, exitCode: 1 });
  });

  test('U-135 U-140 mcp takes no words', async () => {
    const { exitCode, stderr } = await run(['mcp', 'x']);
    expect([exitCode, stderr]).toEqual([1, 'tuimark: tuimark mcp: takes no arguments\n']);
  });

  test.each([
    ['zz.tui', 'open zz.tui: no such file or directory'],
    ['', 'open : no such file or directory'],
    ['dir', 'read dir: is a directory'],
  ])('U-009 file error for %j', async (path, text) => {
    const { stderr } = await tool(['dump', path], { ...A, dir: null });
    expect(stderr).toBe(`tuimark: ${text}\n`);
  });

  test('U-009 a file without permission', async () => {
    const files = memoryFiles(A);
    const readFile = async () => {
      throw Object.assign(new Error('x'), { code: 'EACCES' });
    };
    const { stderr } = await tool('dump a.tui', { ...files, readFile });
    expect(stderr).toBe('tuimark: open a.tui: permission denied\n');
  });
});

describe('flags', () => {
  const isDump = async (...words: string[]) => {
    const { stdout, stderr } = await tool(['dump', ...words], {
      ...A,
      '-x': A['a.tui'],
      '-': A['a.tui'],
    });
    return stderr === '' ? stdout.split('\n')[0] : stderr.split('\n')[0];
  };

  test.each([
    [['a.tui', '-cols', '6', '--rows=2'], '=== grid 6x2 ==='],
    [['--cols', '6', 'a.tui', '--rows', '2'], '=== grid 6x2 ==='],
    [['--cols', '6', '--cols', '7', 'a.tui', '--rows', '2'], '=== grid 7x2 ==='],
    [['--cols=+6', '--rows=2', '--', '-x'], '=== grid 6x2 ==='],
    [['--', '-x', '--cols=6', '--rows=2'], '=== grid 6x2 ==='],
    [['-', '--cols=6', '--rows=2'], '=== grid 6x2 ==='],
    [['--strict=F', 'a.tui', '--rows=2', '--cols=6'], '=== grid 6x2 ==='],
    [['--cells', 'true', '--rows=2'], 'tuimark: open true: no such file or directory'],
    [['--data', '--', 'a.tui'], 'tuimark: open --: no such file or directory'],
  ])('U-136 dump %j', async (words, line) => expect(await isDump(...words)).toBe(line));

  test.each([
    ['--frob', 'flag provided but not defined: -frob'],
    ['-frob=1', 'flag provided but not defined: -frob'],
    ['--cols', 'flag needs an argument: -cols'],
    ['--cols=x', 'invalid value "x" for flag -cols: parse error'],
    ['--cols=0x50', 'invalid value "0x50" for flag -cols: parse error'],
    [
      '--cols=9223372036854775808',
      'invalid value "9223372036854775808" for flag -cols: value out of range',
    ],
    [
      '--cols=-9223372036854775809',
      'invalid value "-9223372036854775809" for flag -cols: value out of range',
    ],
    ['--cells=maybe', 'invalid boolean value "maybe" for -cells: parse error'],
    ['---x', 'bad flag syntax: ---x'],
    ['--=x', 'bad flag syntax: --=x'],
  ])('U-137 U-138 U-139 %s', async (word, line) => {
    const { exitCode, stdout, stderr } = await tool(['dump', 'a.tui', word], A);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr.startsWith(`${line}\nUsage of dump:\n  -cells\n    \t`)).toBe(true);
  });

  test.each(['-h', '-help', '--help'])(
    'U-138 U-139 dump %s prints the usage block as an error',
    async (word) => {
      const { exitCode, stdout, stderr } = await tool(['dump', word], A);
      expect([exitCode, stdout]).toEqual([1, '']);
      const lines = stderr.split('\n');
      expect(lines[0]).toBe('Usage of dump:');
      expect(lines.filter((line) => line.startsWith('  -'))).toEqual([
        '  -cells',
        '  -cols int',
        '  -data string',
        '  -format string',
        '  -rows int',
        '  -strict',
        '  -styles',
        '  -theme string',
      ]);
      expect(stderr).toMatch(/-cols int\n {4}\t.* \(default 80\)\n/);
      expect(stderr).toMatch(/-format string\n {4}\t.* \(default "text"\)\n/);
      expect(stderr).toMatch(/-data string\n {4}\t[^(]*\n/);
    },
  );

  test.each([
    ['--cols 0', '--cols and --rows must be between 1 and 1000 (got 0x24)'],
    ['--rows 1001', '--cols and --rows must be between 1 and 1000 (got 80x1001)'],
    [
      '--cols -5 --rows 9223372036854775807',
      '--cols and --rows must be between 1 and 1000 (got -5x9223372036854775807)',
    ],
    ['--format yaml', '--format must be text or json'],
    ['--theme auto', '--theme must be dark or light (got "auto")'],
    ['--theme=', '--theme must be dark or light (got "")'],
  ])('U-141 U-142 U-143 %s', async (words, message) => {
    const { stderr, exitCode } = await tool(`dump a.tui ${words}`, A);
    expect([exitCode, stderr]).toEqual([1, `tuimark: ${message}\n`]);
  });

  test.each([
    ['[1]', 'd.json: tuimark: the root value must be a JSON object, got []interface {}'],
    ['null', 'd.json: tuimark: the root value must be a JSON object, got <nil>'],
    ['{"a":1e400}', 'd.json: json: cannot unmarshal number 1e400 into Go value of type float64'],
    ['{"a":NaN}', "d.json: invalid character 'N' looking for beginning of value"],
    ['{', 'd.json: unexpected end of JSON input'],
  ])('U-064 U-144 data %s', async (data, message) => {
    const { stderr } = await tool('dump a.tui --data d.json', { ...A, 'd.json': data });
    expect(stderr).toBe(`tuimark: ${message}\n`);
  });

  test('U-144 a missing data file, and an empty name', async () => {
    expect((await tool('dump a.tui --data zz', A)).stderr).toBe(
      'tuimark: open zz: no such file or directory\n',
    );
    expect((await tool('dump a.tui --data=', A)).exitCode).toBe(0);
  });

  test('U-145 the order of checks', async () => {
    const words = 'play --rows 0 --format x --theme x --script s --input i --data zz zz.tui'.split(
      ' ',
    );
    const steps: [string, string[]][] = [
      ['--cols and --rows', []],
      ['--format must', ['--rows', '1']],
      ['play: --input and', ['--rows', '1', '--format', 'text']],
      ['play: step 1 (i1)', ['--rows', '1', '--format', 'text', '--script', '', '--input', 'i1']],
      ['open zz.tui', ['--rows', '1', '--format', 'text', '--script', '', '--input', 'i']],
    ];
    for (const [head, more] of steps) {
      expect((await tool([...words, ...more], A)).stderr.slice(9)).toMatch(
        new RegExp(`^${head.replace('(', '\\(').replace(')', '\\)')}`),
      );
    }
    const late = await tool('dump a.tui --data zz --theme x', A);
    expect(late.stderr).toContain('open zz');
    expect((await tool('validate a.tui --theme x --catalog zz', A)).stderr).toContain(
      '--theme must',
    );
  });

  test('U-146 only the named files are read', async () => {
    const files = memoryFiles({ ...A, 'd.json': '{}' });
    await tool('dump a.tui --data d.json', files);
    expect(files.reads).toEqual(['a.tui', 'd.json']);
  });
});

describe('mcp on stdio', () => {
  test('U-209 U-210 U-211 lines are answered in order, the last one without LF too', async () => {
    const { exitCode, stdout } = await run(
      ['mcp'],
      A,
      '\n  \n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n{"jsonrpc":"2.0","id":2,"method":"ping"}',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"result":{}}\n',
    );
  });

  test('U-210 U-232 a line of 64 MiB ends the server', async () => {
    const { exitCode, stderr } = await run(['mcp'], A, ' '.repeat(64 * 1024 * 1024));
    expect([exitCode, stderr]).toEqual([1, 'tuimark: bufio.Scanner: token too long\n']);
  });

  test('U-211 a closed stdout is a failure', async () => {
    const stdout = new PassThrough();
    stdout.destroy();
    const stdin = new PassThrough();
    stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    const stderr = new PassThrough();
    const exitCode = await runTuiCommand(['mcp'], {
      files: memoryFiles(A),
      env: {},
      stdin,
      stdout,
      stderr,
    });
    expect(exitCode).toBe(1);
    expect(written(stderr)).toMatch(/^tuimark: .+\n$/);
  });
});
