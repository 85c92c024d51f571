import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { runTuiCommand } from '../../../src/tui/commands/index.ts';
import { doc, memoryFiles, tool, written } from '../tools.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DIR = mkdtempSync(join(tmpdir(), 'lectern-host-'));
afterAll(() => rmSync(DIR, { recursive: true }));

const APP = doc(
  '<text>hi {q}</text><input id="i" bind="q" on:submit="sent"/>',
  2,
  '<keymap><bind keys="ctrl+q" action="quit"/></keymap>',
);

/** A terminal in memory: what was written to it, and keys to send. */
function fakeTerminal() {
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => modes.push(raw),
  });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 20, rows: 3 });
  const stderr = new PassThrough();
  let written = '';
  stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  const seen = async (text: string) => {
    while (!written.includes(text)) await once(stdout, 'data');
  };
  return { stdin, stdout, stderr, modes, seen, written: () => written };
}

describe('run', () => {
  test('U-131 keys are applied, quit ends it, and the terminal is given back', async () => {
    const terminal = fakeTerminal();
    const { stdin, stdout, stderr } = terminal;
    const files = memoryFiles({ 'a.tui': APP });
    const done = runTuiCommand(['run', 'a.tui'], {
      files,
      env: { TERM: 'xterm' },
      stdin,
      stdout,
      stderr,
    });
    await terminal.seen('hi ');
    stdin.write('abc\r');
    await terminal.seen('hi abc');
    stdin.write('\u0011');
    expect(await done).toBe(0);
    const written = terminal.written();
    expect(written).toMatch(/^\u001b\[\?1049h/);
    expect(written).toContain('\u001b[?25h\u001b[?1049l');
    expect(terminal.modes).toEqual([true, false]);
    expect(written.slice(written.lastIndexOf('\u001b[?1049l'))).toBe(
      '\u001b[?1049lsent i {} "abc"\nquit i {} "abc"\n',
    );
  });

  test('U-131 the end of the terminal ends it too', async () => {
    const terminal = fakeTerminal();
    const { stdin, stdout, stderr } = terminal;
    const files = memoryFiles({ 'a.tui': APP });
    const done = runTuiCommand(['run', 'a.tui'], { files, env: {}, stdin, stdout, stderr });
    await terminal.seen('hi ');
    stdin.end();
    expect(await done).toBe(0);
    expect(terminal.written()).toContain('\u001b[?1049l');
  });

  test('G-121 a resize draws at the new size', async () => {
    const terminal = fakeTerminal();
    const { stdin, stdout, stderr } = terminal;
    const body = '<style>@media (min-cols: 30) { #w { display: none } }</style>';
    const files = memoryFiles({
      'a.tui': doc('<text id="w">narrow</text><text>end</text>', 2, body),
    });
    const done = runTuiCommand(['run', 'a.tui'], { files, env: {}, stdin, stdout, stderr });
    await terminal.seen('narrow');
    stdout.columns = 30;
    stdout.emit('resize');
    await terminal.seen(`end${' '.repeat(27)}`);
    stdin.write('\u0003');
    expect(await done).toBe(0);
  });

  test('U-131 without a terminal it says what to use', async () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const files = memoryFiles({ 'a.tui': APP });
    expect(await runTuiCommand(['run', 'a.tui'], { files, env: {}, stdin, stdout, stderr })).toBe(
      1,
    );
    expect(written(stderr)).toMatch(/^tuimark: run: stdin and stdout must be a terminal/);
  });

  test('U-073 TUIMARK_THEME beats the flag in a live session', async () => {
    const terminal = fakeTerminal();
    const { stdin, stdout, stderr } = terminal;
    const files = memoryFiles({ 'a.tui': doc('<text style="color: $accent">x</text>') });
    const env = { TERM: 'xterm', TUIMARK_THEME: 'light' };
    const done = runTuiCommand(['run', 'a.tui', '--theme', 'dark'], {
      files,
      env,
      stdin,
      stdout,
      stderr,
    });
    await terminal.seen('\u001b[0;34;49mx');
    stdin.write('\u0003');
    expect(await done).toBe(0);
  });

  test('U-073 an auto document follows the background of the terminal', async () => {
    const terminal = fakeTerminal();
    const { stdin, stdout, stderr } = terminal;
    const auto = doc('<text style="color: $accent">x</text>').replace('<tui', '<tui theme="auto"');
    const files = memoryFiles({ 'a.tui': auto });
    const done = runTuiCommand(['run', 'a.tui'], {
      files,
      env: { TERM: 'xterm' },
      stdin,
      stdout,
      stderr,
    });
    await terminal.seen('\u001b]11;?');
    stdin.write('\u001b]11;rgb:ffff/ffff/ffff\u001b\\');
    await terminal.seen('\u001b[0;34;49mx');
    stdin.write('\u0003');
    expect(await done).toBe(0);
  });
});

describe('preview', () => {
  test('U-175 off a terminal it is the text dump', async () => {
    const files = memoryFiles({ 'a.tui': APP });
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const io = { files, env: { TERM: 'xterm' }, stdin, stdout, stderr };
    expect(await runTuiCommand(['preview', 'a.tui', '--cols', '9', '--rows', '2'], io)).toBe(0);
    expect(written(stdout)).toBe((await tool('dump a.tui --cols 9 --rows 2', files)).stdout);
    expect(await runTuiCommand(['preview', 'a.tui', '--color', 'blue'], io)).toBe(1);
    expect(written(stderr)).toBe(
      'tuimark: --color must be truecolor, 256, 16, or none (got "blue")\n',
    );
  });

  test('U-175 on a terminal a painting precedes the dump', async () => {
    const terminal = fakeTerminal();
    const { stdin, stdout, stderr } = terminal;
    const files = memoryFiles({ 'a.tui': APP });
    await runTuiCommand(['preview', 'a.tui', '--color', '16'], {
      files,
      env: {},
      stdin,
      stdout,
      stderr,
    });
    expect(terminal.written()).toMatch(/^\u001b\[0;39;49mhi /);
    expect(terminal.written()).toContain('=== grid 80x24 ===\n');
  });

  test('U-175 --watch renders again when a file changes, errors included', async () => {
    const files = memoryFiles({ 'a.tui': APP });
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    let text = '';
    const seen = async (part: string) => {
      while (!text.includes(part)) text += String((await once(stdout, 'data'))[0]);
    };
    const done = runTuiCommand(['preview', 'a.tui', '--watch'], {
      files,
      env: {},
      stdin,
      stdout,
      stderr,
    });
    await seen('=== errors ===\n');
    files.content.set('/w/a.tui', doc('<text>changed</text>'));
    await seen('=== reload 1 ===\n=== grid 80x24 ===\nchanged');
    files.content.delete('/w/a.tui');
    await seen('=== reload 2 ===\ntuimark: open a.tui: no such file or directory\n');
    stdout.destroy();
    files.content.set('/w/a.tui', APP);
    expect(await done).toBe(1);
  });
});

/** Start `host` as a child of a parent that talks on descriptors 3 and 4. */
function startHost(words: readonly string[], stdio: ('pipe' | 'ignore')[] = Array(5).fill('pipe')) {
  const script =
    "import { runTuiCommand } from './src/tui/commands/index.ts'; process.exit(await runTuiCommand(process.argv.slice(1)));";
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script, 'host', ...words],
    { cwd: ROOT, stdio },
  );
  return child;
}

/** Lines from the child on descriptor 4, one by one. */
function lineReader(child: ChildProcess) {
  const lines = createInterface({ input: child.stdio[4] as Readable })[Symbol.asyncIterator]();
  return async () => {
    const { value } = await lines.next();
    return value === undefined ? null : JSON.parse(value as string);
  };
}

describe('host', () => {
  const path = join(DIR, 'a.tui');
  writeFileSync(path, APP);

  test('U-176 errors before the session', async () => {
    const run = async (words: string[]) => {
      const stderr = new PassThrough();
      const io = {
        files: memoryFiles({}),
        env: {},
        stdin: new PassThrough(),
        stdout: new PassThrough(),
        stderr,
      };
      expect(await runTuiCommand(['host', ...words], io)).toBe(1);
      return written(stderr);
    };
    expect(await run([])).toBe('tuimark: host: want exactly one FILE, got 0\n');
    expect(await run(['a', '--reply-timeout', '50ms', '--theme', 'x'])).toBe(
      'tuimark: host: --reply-timeout must be a duration from 100ms to 1m (got "50ms")\n',
    );
    expect(await run(['a', '--theme', 'x'])).toBe(
      'tuimark: host: --theme must be dark or light (got "x")\n',
    );
  });

  test('U-176 descriptors must be open pipes', async () => {
    const child = startHost([path], ['ignore', 'pipe', 'pipe']);
    let stderr = '';
    child.stderr!.on('data', (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tuimark: host: fd 3: /);
  });

  test('U-177 U-178 U-179 a whole conversation', async () => {
    const child = startHost([path, '--reply-timeout', '100ms']);
    child.stdout!.resume();
    const next = lineReader(child);
    const toChild = child.stdio[3] as Writable;
    const say = (message: object) => toChild.write(`${JSON.stringify(message)}\n`);
    const ready = await next();
    expect(Object.keys(ready)).toEqual([
      'type',
      'protocol',
      'version',
      'cols',
      'rows',
      'theme',
      'catalog',
      'diagnostics',
    ]);
    expect(ready).toMatchObject({ type: 'ready', protocol: 1, theme: 'dark' });
    expect(
      ready.catalog.map(({ name, builtin }: { name: string; builtin: boolean }) => [name, builtin]),
    ).toEqual([
      ['quit', true],
      ['sent', false],
    ]);
    say({ type: 'set', path: 'q', value: 'x', id: 1 });
    expect(await next()).toEqual({ type: 'ack', id: 1, ok: true });
    say({ type: 'get', path: 'q', id: 'g' });
    expect(await next()).toEqual({ type: 'ack', id: 'g', ok: true, found: true, value: 'x' });
    say({ type: 'get', path: 'zz', id: 'g' });
    expect(await next()).toEqual({ type: 'ack', id: 'g', ok: true, found: false });
    say({
      type: 'batch',
      id: 2,
      writes: [
        { path: 'q', value: 'y' },
        { path: 'q.z', value: 1 },
      ],
    });
    expect(await next()).toEqual({
      type: 'ack',
      id: 2,
      ok: false,
      error: 'set "q.z": "z" is inside a string, not an object',
    });
    say({ type: 'get', path: 'q', id: 3 });
    expect(await next()).toMatchObject({ value: 'x' });
    say({ type: 'set', path: 'a..b', value: 1 });
    expect(await next()).toEqual({ type: 'error', error: 'tuimark: bad path "a..b"' });
    child.stdin!.write('\r');
    expect(await next()).toEqual({
      type: 'event',
      seq: 1,
      action: 'sent',
      source: 'i',
      keys: {},
      value: 'x',
    });
    say({ type: 'reply', seq: 1, id: 4 });
    expect(await next()).toEqual({ type: 'ack', id: 4, ok: true });
    toChild.write('{"type":"reply","seq":1e0}\n');
    expect(await next()).toEqual({ type: 'error', seq: 1, error: 'event already answered' });
    say({ type: 'reply', seq: 9 });
    expect(await next()).toEqual({ type: 'error', seq: 9, error: 'no event with this seq' });
    child.stdin!.write('\r');
    expect(await next()).toMatchObject({ type: 'event', seq: 2 });
    expect(await next()).toEqual({ type: 'error', seq: 2, error: 'reply timeout' });
    say({ type: 'reply', seq: 2 });
    expect(await next()).toEqual({ type: 'error', seq: 2, error: 'reply after the reply timeout' });
    child.stdin!.write('\r');
    expect(await next()).toMatchObject({ type: 'event', seq: 3 });
    say({ type: 'reply', seq: 3, quit: true });
    expect(await next()).toEqual({ type: 'exit', reason: 'quit' });
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  test.each([
    [
      'the parent closes its end',
      'eof',
      0,
      (child: ChildProcess) => (child.stdio[3] as Writable).end(),
    ],
    ['a signal', 'signal', 143, (child: ChildProcess) => child.kill('SIGTERM')],
  ])('U-177 %s', async (_, reason, code, act) => {
    const child = startHost([path]);
    child.stdout!.resume();
    const next = lineReader(child);
    expect((await next()).type).toBe('ready');
    act(child);
    expect(await next()).toMatchObject({ type: 'exit', reason });
    expect((await once(child, 'exit'))[0]).toBe(code);
  });

  test('U-179 an error in a reply wins over quit', async () => {
    const child = startHost([path]);
    child.stdout!.resume();
    const next = lineReader(child);
    await next();
    child.stdin!.write('\r');
    expect(await next()).toMatchObject({ type: 'event', seq: 1 });
    (child.stdio[3] as Writable).write('{"type":"reply","seq":1,"quit":true,"error":"boom"}\n');
    expect(await next()).toEqual({ type: 'exit', reason: 'error', error: 'boom' });
    expect((await once(child, 'exit'))[0]).toBe(1);
  });
});
