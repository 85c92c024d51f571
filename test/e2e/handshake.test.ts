import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dial } from '../../src/protocol/link/dial.ts';
import { FRAME, type Frame } from '../../src/protocol/link/frames.ts';
import type { Surface } from '../../src/protocol/link/hello.ts';
import { type LibraryBench, openLibraryBench } from '../wire/library-bench.ts';

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '1999-01-01', ''];

test.each<Surface>(['library', 'tui'])(
  'a proxy answers initialize on %s as the daemon itself would, whatever version is asked for',
  async (surface) => {
    const bench = openLibraryBench({ skills: 1 });
    await bench.cli('daemon', 'start');
    expect((await bench.daemon()).answersAsRecorded).toBe(true);
    for (const protocolVersion of VERSIONS) {
      const params = {
        protocolVersion,
        capabilities: { roots: { listChanged: true }, elicitation: {} },
        clientInfo: { name: 'host', version: '1' },
      };
      const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
      const proxied = bench.start(['--surface', surface]).request('initialize', params);
      expect(await proxied).toEqual(await askDaemon(bench, surface, request));
    }
  },
);

test('a daemon that could not open its state says so in its own answer to initialize', async () => {
  const bench = openLibraryBench({ skills: 1 });
  mkdirSync(bench.paths.root, { mode: 0o700 });
  writeFileSync(bench.paths.stateDb, 'garbage '.repeat(2_000));
  await bench.cli('daemon', 'start');
  expect((await bench.daemon()).answersAsRecorded).toBe(false);
});

test('a proxy loads no part of Node that its first answer does not need', async () => {
  const bench = openLibraryBench({ skills: 1 });
  await bench.cli('daemon', 'start');
  const tell = join(bench.home, 'tell.cjs');
  writeFileSync(
    tell,
    "process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));",
  );
  const proxy = bench.start([], { env: { NODE_OPTIONS: `--require ${tell}` } });
  await proxy.handshake();
  await proxy.end();
  const loaded = proxy.stderr.split('\n').map((line) => line.replace(/^NativeModule /, ''));
  expect(loaded).toContain('net');
  // Each costs every start of an agent 1 to 5 ms.
  for (const name of ['perf_hooks', 'os', 'crypto', 'child_process', 'readline', 'zlib']) {
    expect(loaded, name).not.toContain(name);
  }
});

/** The answer of the daemon to one message, without a proxy in between. */
async function askDaemon(bench: LibraryBench, surface: Surface, message: object): Promise<unknown> {
  const record = await bench.daemon();
  const introduction = {
    version: record.version,
    role: 'mcp' as const,
    surface,
    workspace: null,
    harness: null,
    flags: {},
    cwd: bench.home,
    env: {},
    pid: process.pid,
  };
  let hear: (frame: Frame) => void = () => {};
  const connection = await dial(record, introduction, {
    onFrame: (frame) => hear(frame),
    onClose: () => {},
  });
  const reply = new Promise<Frame>((resolve) => {
    hear = (frame) => frame.kind === FRAME.reply && resolve(frame);
  });
  connection.send(FRAME.mcp, 1, JSON.stringify(message));
  const { payload } = await reply;
  connection.close();
  return JSON.parse(payload.toString('utf8'));
}
