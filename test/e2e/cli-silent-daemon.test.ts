import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FRAME, FrameDecoder } from '../../src/protocol/link/frames.ts';
import { PROTOCOL } from '../../src/protocol/link/hello.ts';
import { identifySelf } from '../../src/protocol/link/process-identity.ts';
import { eventually } from '../eventually.ts';
import { encodeFrame } from '../protocol/encode-frame.ts';
import { type Cli, openCli } from './run-cli.ts';

/** Of the built command: an older one would be asked to make room. */
const { version: VERSION } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
);

/** A command line of its own, without the daemon that `close` would wait for. */
async function openOwn(): Promise<Cli> {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  return cli;
}

/** Start a command and look at what it prints while it runs; standard error is no terminal. */
function start(cli: Cli, args: readonly string[]) {
  const child = spawn(process.execPath, [cli.bin, ...args], {
    cwd: cli.cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: join(cli.root, 'home'),
      LECTERN_HOME: join(cli.root, 'state'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  return { said, closed: once(child, 'close') as Promise<[number | null]> };
}

/**
 * A daemon of this version, by its record, that welcomes everybody; what it does with
 * admin messages is the test's.
 */
async function serveAs(
  cli: Cli,
  onAdmin: (text: string, socket: Socket) => void,
  who: { pid: number } = identifySelf(),
): Promise<void> {
  const state = join(cli.root, 'state');
  mkdirSync(state, { mode: 0o700 });
  const socketPath = join(cli.root, 'd.sock');
  const tokenFile = join(state, 'forged-token');
  writeFileSync(tokenFile, 'any', { mode: 0o600 });
  const server = createServer((socket) => {
    const decoder = new FrameDecoder();
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      for (const { kind, payload } of decoder.push(chunk)) {
        if (kind === FRAME.hello) {
          const welcome = { protocol: PROTOCOL, version: VERSION, session: 1, pid: process.pid };
          socket.write(encodeFrame(FRAME.welcome, 0, JSON.stringify(welcome)));
        } else if (kind === FRAME.admin) onAdmin(payload.toString('utf8'), socket);
      }
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  const record = { ...who, socket: socketPath, version: VERSION, protocol: PROTOCOL };
  writeFileSync(join(state, 'daemon.json'), JSON.stringify({ ...record, tokenFile }));
  // Before `close` looks at the record, which names this very process.
  onTestFinished(() => {
    writeFileSync(join(state, 'daemon.json'), '{}');
    server.close();
  });
}

test('a command that waits for a stopped daemon says within seconds whom to wake, and goes on once it is', async () => {
  const cli = await openOwn();
  const [started] = (await cli.run(['daemon', 'start', '--json'])).records();
  const pid = started!['pid'] as number;
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  const plain = start(cli, ['catalog', 'list']);
  const scripted = start(cli, ['catalog', 'list', '--json']);
  await eventually(() => {
    expect(plain.said.stderr).toMatch(
      new RegExp(`^the daemon \\(pid ${pid}\\) .*stopped \\(kill -CONT ${pid}\\)\n$`),
    );
  }, 20_000);
  process.kill(pid, 'SIGCONT');
  expect((await plain.closed)[0]).toBe(0);
  expect((await scripted.closed)[0]).toBe(0);
  // Standard error of --json is for the one object of a failure.
  expect(scripted.said).toEqual({ stdout: '', stderr: '' });
}, 60_000);

test('a daemon that welcomes and then says nothing is named, and given up with exit 61', async () => {
  const cli = await openOwn();
  await serveAs(cli, () => {});
  const plain = start(cli, ['catalog', 'list']);
  const scripted = start(cli, ['catalog', 'list', '--json']);
  await eventually(() => expect(plain.said.stderr).toContain('lectern daemon logs'), 20_000);
  expect(plain.said.stderr).toContain(`the daemon (pid ${process.pid}) does not answer yet`);
  expect((await plain.closed)[0]).toBe(61);
  expect((await scripted.closed)[0]).toBe(61);
  expect(scripted.said.stdout).toBe('');
  expect(JSON.parse(scripted.said.stderr).error).toMatchObject({
    category: 'mcp_io',
    message: expect.stringContaining(`pid ${process.pid}`),
    next: 'lectern daemon logs',
  });
}, 60_000);

test('a daemon that works on an answer and answers pings meanwhile is waited for without a word', async () => {
  const cli = await openOwn();
  let pings = 0;
  let asked: { id: number } | undefined;
  await serveAs(cli, (text, socket) => {
    const message = JSON.parse(text);
    const answer = (body: object) =>
      socket.write(encodeFrame(FRAME.admin, 0, JSON.stringify({ jsonrpc: '2.0', ...body })));
    if (message.method !== 'ping') {
      asked = message;
      return;
    }
    pings += 1;
    answer({ id: message.id, error: { code: -32601, message: 'Method not found' } });
    // Well past the five seconds after which a silent one is named.
    if (pings === 4) answer({ id: asked!.id, result: [] });
  });
  const { said, closed } = start(cli, ['catalog', 'list']);
  expect((await closed)[0]).toBe(0);
  expect(pings).toBe(4);
  expect(said.stderr).not.toContain('does not answer');
}, 60_000);

test('a daemon that agreed to stop and was then stopped by a signal is not told to end by one it cannot take', async () => {
  const cli = await openOwn();
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid!;
  process.kill(pid, 'SIGSTOP');
  const answer = (text: string, socket: Socket) => {
    const { id } = JSON.parse(text);
    const body = JSON.stringify({ jsonrpc: '2.0', id, result: { pid } });
    socket.write(encodeFrame(FRAME.admin, 0, body));
  };
  await serveAs(cli, answer, { pid });
  const { said, closed } = start(cli, ['daemon', 'stop']);
  expect((await closed)[0]).toBe(1);
  expect(said.stderr).toContain(`next: kill -CONT ${pid}\n`);
}, 60_000);
