import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCli } from './run-cli.ts';

/** U-210: a line of so many bytes, its LF not counted, ends the server. */
const LIMIT = 64 * 1024 * 1024;

interface Server {
  readonly child: ChildProcess;
  /** Answers in the order they came. */
  readonly answers: string[];
  /** Everything on stderr, once it ended. */
  readonly ended: Promise<{ code: number | null; stderr: string }>;
  readonly cwd: string;
  send(line: Uint8Array | string): Promise<void>;
  /** The answer to a line sent now. */
  ask(line: Uint8Array | string): Promise<string>;
}

/** The tui surface of the built product, as a harness starts it: a proxy and a daemon behind it. */
async function startTui(): Promise<Server> {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const child = spawn(process.execPath, [cli.bin, 'mcp', '--surface', 'tui'], {
    cwd: cli.cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(cli.root, 'home'),
      LECTERN_HOME: join(cli.root, 'state'),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const answers: string[] = [];
  const waiting: ((answer: string) => void)[] = [];
  let rest = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      answers.push(line);
      waiting.shift()?.(line);
    }
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  // A server that ended reads no more.
  child.stdin!.on('error', () => {});
  const send = (line: Uint8Array | string) =>
    new Promise<void>((resolve) => {
      child.stdin!.write(line);
      child.stdin!.write('\n', () => resolve());
    });
  return {
    child,
    answers,
    ended: once(child, 'close').then(([code]) => ({ code, stderr })),
    cwd: cli.cwd,
    send,
    ask: (line) => {
      const answer = new Promise<string>((resolve) => waiting.push(resolve));
      void send(line);
      return answer;
    },
  };
}

const ping = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
const pong = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{}}`;

function dump(id: number, more: Record<string, unknown>): string {
  const params = { name: 'tuimark_dump', arguments: { file: 'a.tui', ...more } };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

test('U-210 through the proxy a line one byte below the limit is answered', async () => {
  const server = await startTui();
  const line = Buffer.alloc(LIMIT - 1, 0x20);
  line.write(ping(1));
  expect(await server.ask(line)).toBe(pong(1));
  server.child.stdin!.end();
  expect(await server.ended).toEqual({ code: 0, stderr: '' });
}, 60_000);

test('U-210 through the proxy a longer line ends the server, after what was asked before it is answered', async () => {
  const server = await startTui();
  writeFileSync(
    join(server.cwd, 'a.tui'),
    '<tui version="2"><screen><text>hi</text></screen></tui>',
  );
  void server.send(ping(1));
  void server.send(dump(2, { cols: 4, rows: 1 }));
  void server.send(Buffer.alloc(LIMIT, 0x61));
  void server.send(ping(3));
  expect(await server.ended).toEqual({
    code: 1,
    stderr: 'tuimark: bufio.Scanner: token too long\n',
  });
  expect(server.answers).toHaveLength(2);
  expect(server.answers[0]).toBe(pong(1));
  expect(server.answers[1]).toMatch(/^\{"jsonrpc":"2\.0","id":2,"result":.*hi/);
}, 60_000);

test('U-145 through the proxy an edit of document, sheet or data is seen by the next call', async () => {
  const server = await startTui();
  const write = (name: string, text: string) => writeFileSync(join(server.cwd, name), text);
  const text = '<tui version="2"><style src="a.tcss"/><screen><text>{w}</text></screen></tui>';
  write('a.tui', text);
  write('a.tcss', 'text { bold: true }');
  write('d.json', '{"w":"one"}');
  const look = async (): Promise<string> => {
    const more = { data: 'd.json', cols: 9, rows: 1, styles: true };
    return JSON.parse(await server.ask(dump(1, more))).result.content[0].text;
  };
  const first = await look();
  expect(JSON.parse(first).grid).toEqual(['one      ']);
  expect(first).toContain('"bold"');
  expect(await look()).toBe(first);
  write('d.json', '{"w":"two"}');
  expect(JSON.parse(await look()).grid).toEqual(['two      ']);
  write('a.tcss', 'text { dim: true }');
  expect(await look()).toContain('"dim"');
  write('a.tui', text.replace('{w}', 'a {w}'));
  expect(JSON.parse(await look()).grid).toEqual(['a two    ']);
}, 60_000);

test('U-223 an answer over the limit of one message is an error that names it, and the session goes on', async () => {
  const server = await startTui();
  writeFileSync(join(server.cwd, 'a.tui'), '<tui version="2"><screen id="s"/></tui>');
  const answer = JSON.parse(await server.ask(dump(1, { cols: 1000, rows: 1000, cells: true })));
  expect(answer).toMatchObject({ id: 1, error: { data: { code: 'limit_exceeded' } } });
  expect(answer.error.message).toMatch(/over the limit of 67108864 bytes/);
  expect(await server.ask(ping(2))).toBe(pong(2));
}, 60_000);
