import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listSessions } from '../../src/protocol/admin/list-sessions.ts';
import { connectAdmin } from '../../src/protocol/client.ts';
import { MAX_MESSAGE_BYTES } from '../../src/protocol/link/frames.ts';
import { eventually } from '../eventually.ts';
import { openBench } from '../wire/bench.ts';
import { withoutLocalSockets } from '../wire/without-sockets.ts';

test('L-179 closing stdin exits 0 after everything received is answered', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const answer = proxy.answerTo(7);
  proxy.sendLine('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"pid"}}');
  const { code } = await proxy.end();
  expect(code).toBe(0);
  expect((await answer).result.value).toBe((await bench.daemon()).pid);
  expect(proxy.stderr).toBe('');
});

test('L-179 closing stdin exits 0 although the daemon answers nothing, and says so', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  await proxy.handshake();
  const [started, file] = [join(bench.root, 'started'), join(bench.root, 'never')];
  const taken = proxy.call('wait_for', { started, file });
  await eventually(() => readFileSync(started));
  const { pid } = await bench.daemon();
  process.kill(pid, 'SIGSTOP');
  expect((await proxy.end()).code).toBe(0);
  expect((await taken).error?.message).toMatch(/did not answer in time while wait_for was running/);
  process.kill(pid, 'SIGCONT');
});

test('L-179 SIGTERM answers what is in flight and exits 8', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const [started, file] = [join(bench.root, 'started'), join(bench.root, 'go')];
  const answer = proxy.call('wait_for', { started, file });
  await eventually(() => readFileSync(started));
  proxy.child.kill('SIGTERM');
  writeFileSync(file, '');
  expect((await answer).result.value).toBe('done');
  expect(await proxy.exited).toEqual({ code: 8, signal: null });
});

test('a hot daemon answers initialize itself', async () => {
  const bench = await openBench();
  await bench.start().call('pid');
  // On a machine too busy for 300 ms the snapshot answers; a proxy that never forwards fails each time.
  await eventually(async () => {
    expect((await bench.start().handshake()).result.serverInfo.name).toBe('echo');
  });
});

test('a daemon that answers as recorded delays no handshake, and sees it once', async () => {
  const bench = await openBench();
  writeFileSync(join(bench.root, 'answer-as-recorded'), '');
  await bench.start().call('pid');
  const proxy = bench.start();
  expect((await proxy.handshake()).result.serverInfo.name).toBe('snapshot');
  expect((await proxy.call('session')).result.value.initializations).toBe(1);
  // Two requests, two answers: the daemon's own to `initialize` was swallowed.
  expect(proxy.messages).toHaveLength(2);
});

test('what comes in one breath with the handshake is answered behind it, in order', async () => {
  const bench = await openBench();
  writeFileSync(join(bench.root, 'answer-as-recorded'), '');
  await bench.start().call('pid');
  const proxy = bench.start();
  const request = (id: number, method: string, params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const echo = { name: 'echo', arguments: { text: 'behind' } };
  const answers = Promise.all([proxy.answerTo(1), proxy.answerTo(2), proxy.answerTo(3)]);
  proxy.child.stdin!.end(
    [
      request(1, 'initialize', hostSays({})),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      request(2, 'tools/call', { name: 'session' }),
      request(3, 'tools/call', echo),
    ].join('\n'),
  );
  const [initialized, session, echoed] = await answers;
  expect(initialized.result.serverInfo.name).toBe('snapshot');
  expect(session.result.value.initializations).toBe(1);
  expect(echoed.result.value).toBe('behind');
  expect(await proxy.exited).toEqual({ code: 0, signal: null });
  expect(proxy.messages[0]!.id).toBe(1);
  expect(proxy.messages).toHaveLength(3);
});

test.each(['a pipe', 'a socket'])(
  'what lies in %s before the proxy reads, more than one reading takes, is answered whole and in order',
  async (kind) => {
    const bench = await openBench();
    writeFileSync(join(bench.root, 'answer-as-recorded'), '');
    await bench.start().call('pid');
    // `cat` puts a pipe in the place of the socket that Node gives its children.
    const within = kind === 'a pipe' ? ['sh', '-c', 'cat | "$@"', 'sh'] : [];
    const proxy = bench.start([], {}, undefined, within);
    const texts = ['ä'.repeat(20_000), 'ö'.repeat(50_000), 'ü'.repeat(30_000)];
    const lines = [
      { id: 1, method: 'initialize', params: hostSays({}) },
      ...texts.map((text, at) => ({
        id: at + 2,
        method: 'tools/call',
        params: { name: 'echo', arguments: { text } },
      })),
    ].map((request) => JSON.stringify({ jsonrpc: '2.0', ...request }));
    const answers = lines.map((_, at) => proxy.answerTo(at + 1));
    proxy.child.stdin!.end(lines.join('\n'));
    const [initialized, ...echoed] = await Promise.all(answers);
    expect(initialized!.result.serverInfo.name).toBe('snapshot');
    expect(echoed.map(({ result }) => result.value)).toEqual(texts);
    expect((await proxy.exited).code).toBe(0);
    expect(proxy.messages).toHaveLength(4);
  },
);

test('a handshake that comes when the daemon is connected goes to it', async () => {
  const bench = await openBench();
  writeFileSync(join(bench.root, 'answer-as-recorded'), '');
  await bench.start().call('pid');
  const proxy = bench.start();
  const admin = await connectAdmin({ env: bench.env, autostart: false, cwd: bench.root });
  await eventually(async () => {
    const pids = (await admin.call(listSessions, {})).map(({ pid }) => pid);
    expect(pids).toContain(proxy.child.pid);
  });
  admin.close();
  expect((await proxy.handshake()).result.serverInfo.name).toBe('echo');
  expect((await proxy.call('session')).result.value.initializations).toBe(1);
});

test('a first line in pieces, behind a byte order mark, is answered once', async () => {
  const bench = await openBench();
  writeFileSync(join(bench.root, 'answer-as-recorded'), '');
  await bench.start().call('pid');
  const proxy = bench.start();
  const answer = proxy.answerTo('ä');
  const line = JSON.stringify({
    jsonrpc: '2.0',
    id: 'ä',
    method: 'initialize',
    params: hostSays({}),
  });
  const bytes = Buffer.from(`\ufeff${line}\n`);
  for (const byte of bytes) proxy.child.stdin!.write(Buffer.of(byte));
  expect((await answer).result.serverInfo.name).toMatch(/^(snapshot|echo)$/);
  expect((await proxy.call('session')).result.value.initializations).toBe(1);
  expect(proxy.messages).toHaveLength(2);
});

test('the record of a daemon that died answers a handshake as its successor would', async () => {
  const bench = await openBench();
  writeFileSync(join(bench.root, 'answer-as-recorded'), '');
  await bench.start().call('pid');
  const died = await bench.daemon();
  process.kill(died.pid, 'SIGKILL');
  await eventually(() => expect(bench.daemonPids()).not.toContain(died.pid));
  const proxy = bench.start();
  expect((await proxy.handshake()).result.serverInfo.name).toBe('snapshot');
  expect((await proxy.call('session')).result.value.initializations).toBe(1);
  expect((await bench.daemon()).pid).not.toBe(died.pid);
});

test.each([
  ['no parameters', undefined],
  ['no client', { protocolVersion: '2025-11-25', capabilities: {} }],
  ['a client without a version', hostSays({ clientInfo: { name: 'a' } })],
  ['no version', hostSays({ protocolVersion: 5 })],
  ['no capabilities', hostSays({ capabilities: [] })],
  ['a capability that is no object', hostSays({ capabilities: { roots: true } })],
])('an initialize with %s is left to the daemon, who may refuse it', async (_what, params) => {
  const bench = await openBench();
  writeFileSync(join(bench.root, 'answer-as-recorded'), '');
  await bench.start().call('pid');
  // On a machine too busy for 300 ms the snapshot answers; a proxy that never forwards fails each time.
  await eventually(async () => {
    const { result } = await bench.start().request('initialize', params);
    expect(result.serverInfo.name).toBe('echo');
  });
});

function hostSays(other: object): object {
  const clientInfo = { name: 'host', version: '1' };
  return { protocolVersion: '2025-11-25', capabilities: {}, clientInfo, ...other };
}

test('without a daemon the handshake is answered from the snapshot and replayed silently', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  expect((await proxy.handshake()).result.serverInfo.name).toBe('snapshot');
  expect((await proxy.request('tools/list')).result.tools[0].name).toBe('recorded');
  const session = await proxy.call('session');
  expect(session.result.value.initializations).toBe(1);
  // Three requests, three answers: the answer to the replayed initialize was swallowed.
  expect(proxy.messages.filter((message) => message.method === undefined)).toHaveLength(3);
});

test('a client that was told of recorded tools is told once that the daemon has others', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  await proxy.handshake();
  expect((await proxy.request('tools/list')).result.tools[0].name).toBe('recorded');
  await proxy.message((m) => m.method === 'notifications/tools/list_changed');
  expect((await proxy.request('tools/list')).result.tools[0].name).toBe('live');
  process.kill((await bench.daemon()).pid, 'SIGKILL');
  await proxy.call('pid');
  expect(proxy.messages.filter((message) => message.method !== undefined)).toHaveLength(1);
  expect(new Set(proxy.messages.map((message) => message.id)).size).toBe(proxy.messages.length);
});

test('without a daemon server/discover and a stateless tools/list are answered from the snapshot', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const discover = await proxy.request('server/discover', { _meta });
  expect(discover.result.supportedVersions).toEqual(['2026-07-28']);
  expect((await proxy.request('tools/list', { _meta })).result.ttlMs).toBe(0);
});

test('an unknown protocol version is answered from the snapshot with the one we offer instead', async () => {
  const bench = await openBench();
  const answer = await bench.start().request('initialize', { protocolVersion: '1999-01-01' });
  expect(answer.result.protocolVersion).toBe('2025-06-18');
});

test('a list request with a cursor waits for the daemon', async () => {
  const bench = await openBench();
  const answer = await bench.start().request('tools/list', { cursor: 'x' });
  expect(answer.result.tools[0].name).toBe('live');
});

test('U-209 on tui nothing overtakes a request that waits for the daemon', async () => {
  const bench = await openBench();
  const proxy = bench.start(['--surface', 'tui']);
  // The daemon answers both at once; the snapshot could answer only the second.
  await Promise.all([proxy.request('no/such/method'), proxy.request('ping')]);
  expect(proxy.messages.map((m) => m.id)).toEqual([1, 2]);
});

test('kill -9 during a read-only call: it is sent once more and answered', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  await proxy.handshake();
  const [started, file] = [join(bench.root, 'started'), join(bench.root, 'go')];
  const answer = proxy.call('wait_for', { started, file });
  await eventually(() => readFileSync(started));
  const first = await bench.daemon();
  process.kill(first.pid, 'SIGKILL');
  writeFileSync(file, '');
  expect((await answer).result.value).toBe('done');
  expect(readFileSync(started, 'utf8')).toBe('..');
  expect((await bench.daemon()).pid).not.toBe(first.pid);
  // The new daemon's session went through the handshake, and nobody saw its answer.
  expect((await proxy.call('session')).result.value.initializations).toBe(1);
  expect(proxy.messages).toHaveLength(3);
});

test('a read-only call that kills its daemon is tried twice, never a third time', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const tally = join(bench.root, 'tally');
  const answer = await proxy.call('die_reading', { tally });
  expect(answer.error?.data?.['code']).toBe('outcome_unknown');
  expect(readFileSync(tally, 'utf8')).toBe('..');
  expect((await proxy.call('echo', { text: 'still here' })).result.value).toBe('still here');
});

test('a writing call whose daemon dies is answered as of unknown outcome and not repeated', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const tally = join(bench.root, 'tally');
  const answer = await proxy.call('die_writing', { tally });
  expect(answer.error?.message).toMatch(/die_writing was running.*unknown.*before trying again/s);
  expect(answer.error?.data).toEqual({ code: 'outcome_unknown', retryable: false });
  expect((await proxy.call('echo', { text: 'next' })).result.value).toBe('next');
  expect(readFileSync(tally, 'utf8')).toBe('.');
});

test('a daemon that is told to stop hands its proxies over to the next', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  await proxy.handshake();
  const first = (await proxy.call('pid')).result.value;
  process.kill(first, 'SIGTERM');
  await eventually(() => {
    if (existsSync(bench.paths.daemonFile)) throw new Error('it is still there');
  });
  const second = (await proxy.call('pid')).result.value;
  expect(second).not.toBe(first);
});

test('20 MB answers with U+2028 and split characters arrive byte for byte', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const bytes = 20 * 1024 * 1024;
  const answer = await proxy.call('big', { bytes });
  expect(answer.result.value === 'é\u2028'.repeat(bytes / 5)).toBe(true);
});

test('a request split in the middle of a character arrives whole', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const answer = proxy.answerTo('é');
  const call = {
    jsonrpc: '2.0',
    id: 'é',
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: '日本\u2028語' } },
  };
  for (const byte of Buffer.from(`${JSON.stringify(call)}\n`)) {
    proxy.child.stdin!.write(Buffer.of(byte));
  }
  expect((await answer).result.value).toBe('日本\u2028語');
});

test('malformed lines are answered and the next request works', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const cases: [string, number, RegExp][] = [
    ['{"jsonrpc":"2.0","id":1', -32700, /not JSON/],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, /batches/],
    ['42', -32600, /no method/],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, /id must be a string or an integer/],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, /id must be a string or an integer/],
    ['Content-Length: 44', -32700, /one JSON message per line/],
    ['\u0000\u0001', -32700, /not JSON/],
  ];
  for (const [line, code, message] of cases) {
    const answer = proxy.answerTo(null);
    proxy.sendLine(line);
    const { error } = await answer;
    expect(error?.code).toBe(code);
    expect(error?.message).toMatch(message);
  }
  expect((await proxy.request('no/such/method')).error?.code).toBe(-32601);
  expect((await proxy.call('echo', { text: 'on' })).result.value).toBe('on');
});

test('a byte order mark, blank lines and carriage returns are not the client’s message', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const answer = proxy.answerTo(1);
  proxy.child.stdin!.write('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n\r\n  \n');
  expect((await answer).result).toEqual({});
  expect((await proxy.request('ping', undefined, 2)).result).toEqual({});
  expect(proxy.messages).toHaveLength(2);
});

test('a line of 64 MiB is refused by name and the next request works', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const answer = proxy.answerTo(null);
  proxy.sendLine(Buffer.alloc(64 * 1024 * 1024, 0x61));
  expect((await answer).error?.message).toMatch(/shorter than 67108864 bytes/);
  expect((await proxy.call('echo', { text: 'on' })).result.value).toBe('on');
});

test('U-210 on tui a line of 64 MiB ends the server with exit 1', async () => {
  const bench = await openBench();
  const proxy = bench.start(['--surface', 'tui']);
  const answer = proxy.call('pid');
  proxy.sendLine(Buffer.alloc(64 * 1024 * 1024, 0x61));
  expect((await proxy.exited).code).toBe(1);
  expect((await answer).result.value).toBeGreaterThan(0);
  expect(proxy.stderr).toBe('tuimark: bufio.Scanner: token too long\n');
});

test('U-211 on tui a closed stdout is exit 1 with one line on stderr', async () => {
  const bench = await openBench();
  const proxy = bench.start(['--surface', 'tui']);
  await proxy.call('pid');
  proxy.child.stdout!.destroy();
  proxy.sendLine('{"jsonrpc":"2.0","id":9,"method":"ping"}');
  expect((await proxy.exited).code).toBe(1);
  expect(proxy.stderr).toMatch(/^tuimark: .*EPIPE.*\n$/);
});

test('1,000 requests at once are all answered', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const answers = Array.from({ length: 1000 }, (_, at) => proxy.call('echo', { text: `${at}` }));
  const values = (await Promise.all(answers)).map((answer) => answer.result.value);
  expect(values).toEqual(Array.from({ length: 1000 }, (_, at) => `${at}`));
});

test('a cancelled request holds up no exit', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const started = join(bench.root, 'started');
  void proxy.call('wait_for', { started, file: join(bench.root, 'never') });
  await eventually(() => readFileSync(started));
  proxy.notify('notifications/cancelled', { requestId: 1 });
  const before = performance.now();
  expect((await proxy.end()).code).toBe(0);
  // The bound for unanswered requests is five seconds.
  expect(performance.now() - before).toBeLessThan(4000);
});

test('the daemon may ask the client, and notifications reach it', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const answer = proxy.call('ask');
  await proxy.message((m) => m.method === 'roots/list');
  proxy.sendLine('{"jsonrpc":"2.0","id":"q1","result":{"roots":["/pear"]}}');
  expect((await answer).result.value).toEqual({ roots: ['/pear'] });
  await proxy.call('notify');
  await proxy.message((m) => m.method === 'notifications/tools/list_changed');
});

test('files are read by the proxy: its directory, its error codes', async () => {
  const bench = await openBench();
  writeFileSync(join(bench.root, 'note.txt'), 'héllo');
  const proxy = bench.start([], {}, bench.root);
  expect((await proxy.call('read', { path: 'note.txt' })).result.value).toBe('héllo');
  expect((await proxy.call('read', { path: 'absent' })).error?.data?.['code']).toBe('ENOENT');
  expect((await proxy.call('read', { path: '.' })).error?.data?.['code']).toBe('EISDIR');
  expect((await proxy.call('read', { path: '/dev/zero' })).error?.data?.['code']).toBe('EINVAL');
  const sparse = join(bench.root, 'sparse');
  writeFileSync(sparse, '');
  truncateSync(sparse, MAX_MESSAGE_BYTES);
  expect((await proxy.call('read', { path: sparse })).error?.data?.['code']).toBe('EFBIG');
});

test('a session has the flags, the directory and only the allowed environment of its proxy', async () => {
  const bench = await openBench();
  const args = [
    '--workspace',
    'w1',
    '--harness=cursor',
    '--registry',
    'http://r',
    '--agent',
    'codex',
  ];
  const env = { CURSOR_AGENT: '1', TOME_ENV_PEAR: 'p', AWS_SECRET_ACCESS_KEY: 's', LANG: 'C' };
  const { value } = (await bench.start(args, env, bench.root).call('session')).result;
  expect(value).toMatchObject({
    workspace: 'w1',
    harness: 'cursor',
    flags: { registry: 'http://r', agent: 'codex' },
    cwd: bench.root,
    readOnly: false,
  });
  expect(value.env).toMatchObject({ CURSOR_AGENT: '1', TOME_ENV_PEAR: 'p', LANG: 'C' });
  expect(value.env).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
});

test('a daemon takes over no variable of the session that started it but the allowed', async () => {
  const bench = await openBench();
  await bench.start([], { CURSOR_AGENT: '1', SECRET: 's', LECTERN_LOG: 'debug' }).call('pid');
  const environ = readFileSync(`/proc/${(await bench.daemon()).pid}/environ`, 'utf8').split('\0');
  const names = environ.filter((pair) => pair !== '').map((pair) => pair.split('=')[0]);
  expect(names.sort()).toEqual(['HOME', 'LECTERN_HOME', 'LECTERN_LOG', 'PATH']);
});

test.each([
  ['beside a daemon', true],
  ['where there is none', false],
])(
  'a sandbox that forbids local sockets, %s: the session is read-only (SKIPPED without seccomp)',
  async (_where, isHot) => {
    const within = withoutLocalSockets();
    if (within === undefined) return console.warn('SKIPPED: no seccomp filter can be set here');
    const bench = await openBench();
    if (isHot) await bench.start().call('pid');
    const before = bench.daemonPids();
    const confined = bench.start([], {}, undefined, within);
    expect((await confined.handshake()).result.serverInfo.name).toBe('snapshot');
    expect((await confined.call('session')).result.value.readOnly).toBe(true);
    const others = bench.daemonPids().filter((pid) => !before.includes(pid));
    expect(others.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1'))).toEqual([
      expect.stringContaining('--stdio'),
    ]);
    if (isHot) expect((await bench.daemon()).pid).toBe(before[0]);
    // None was tried: it could not listen either.
    else expect(existsSync(bench.paths.lastWords)).toBe(false);
  },
);

test('LECTERN_NO_DAEMON=1 serves a read-only session without any daemon', async () => {
  const bench = await openBench();
  const proxy = bench.start([], { LECTERN_NO_DAEMON: '1' });
  expect((await proxy.call('session')).result.value.readOnly).toBe(true);
  expect(existsSync(bench.paths.daemonFile)).toBe(false);
  expect((await proxy.end()).code).toBe(0);
  await eventually(() => expect(bench.daemonPids()).toEqual([]));
});

test.each([
  [['--nope'], /unknown argument "--nope"/],
  [['--surface', 'paper'], /--surface must be one of/],
  [['--workspace'], /--workspace needs a value/],
])('wrong flags %j exit 2 and say why', async (args, message) => {
  const bench = await openBench();
  const proxy = bench.start(args);
  expect((await proxy.exited).code).toBe(2);
  expect(proxy.stderr).toMatch(message);
  expect(proxy.stderr).toMatch(/\nnext: lectern mcp --help\n$/);
});

test('a relative LECTERN_HOME exits 2', async () => {
  const bench = await openBench();
  const proxy = bench.start([], { LECTERN_HOME: 'here' });
  expect((await proxy.exited).code).toBe(2);
});

test('L-178 state that cannot be opened: the handshake works and the failure is in the answers', async () => {
  const bench = await openBench();
  writeFileSync(join(bench.root, 'refuse-to-compose'), '');
  const proxy = bench.start();
  await proxy.handshake();
  const answer = await proxy.call('echo', { text: 'x' });
  expect(answer.error?.message).toBe('the state was written by a newer lectern');
  expect(answer.error?.data?.['code']).toBe('schema_too_new');
});
