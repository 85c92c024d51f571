import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { FRAME } from '../../src/protocol/link/frames.ts';
import { eventually } from '../eventually.ts';
import { daemonHere } from './in-process.ts';
import { parsed } from './raw-client.ts';

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-session-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('a hello is welcomed with protocol, version and limits', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  client.hello(token);
  expect(parsed(await client.frame(FRAME.welcome))).toMatchObject({
    protocol: 1,
    version: '1.0.0',
    clock: null,
    limits: { messageBytes: 67_108_864, sessions: 512, queuedRequests: 256 },
  });
});

test.each([
  ['wrong_token', { token: 'guess' }],
  ['unsupported_protocol', { protocol: 2 }],
  ['unsupported_surface', { surface: 'registry' as const }],
  ['bad_hello', { surface: 'paper' as never }],
  ['bad_hello', { role: 'root' as never }],
  ['bad_hello', { cwd: 7 as never }],
])('%s: %j is refused by one error frame and a close', async (code, more) => {
  const { connect, token } = await daemonHere();
  const client = connect();
  client.hello(token, more);
  expect((await client.refusal())?.code).toBe(code);
  await client.closed;
  expect(client.frames).toHaveLength(1);
});

test('a refusal repeats no more than the beginning of what it refuses', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  client.hello(token, { flags: { ['k'.repeat(5_000_000)]: 7 as never } });
  const refusal = await client.refusal();
  expect(refusal?.message).toMatch(/^the hello cannot be read: flags\.k+$/);
  expect(refusal?.message).toHaveLength(1000);
});

test('garbage instead of a hello is refused by name', async () => {
  const { connect } = await daemonHere();
  const client = connect();
  client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect((await client.refusal())?.code).toMatch(/message_too_large|unknown_frame_kind/);
  await client.closed;
});

test('a frame before the hello is refused', async () => {
  const { connect } = await daemonHere();
  const client = connect();
  client.call(1, 1, 'pid');
  expect((await client.refusal())?.code).toBe('bad_hello');
});

test('silence for five seconds is refused', async () => {
  const { connect } = await daemonHere();
  const client = connect();
  expect(await client.refusal()).toEqual({
    code: 'hello_timeout',
    message: 'no hello within 5000 ms',
  });
  await client.closed;
}, 15_000);

test('a reply carries the number of its request, whatever the id', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  client.hello(token);
  client.call(41, 'x', 'echo', { text: 'a' });
  client.call(42, 7, 'echo', { text: 'b' });
  expect(parsed(await client.frame(FRAME.reply, 41))).toMatchObject({
    id: 'x',
    result: { value: 'a' },
  });
  expect(parsed(await client.frame(FRAME.reply, 42))).toMatchObject({
    id: 7,
    result: { value: 'b' },
  });
});

test('two requests of one id get one reply each', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  client.hello(token);
  client.call(1, 'same', 'echo', { text: 'a' });
  client.call(2, 'same', 'echo', { text: 'b' });
  await client.frame(FRAME.reply, 2);
  expect(client.frames.filter((f) => f.kind === FRAME.reply).map((f) => f.seq)).toEqual([1, 2]);
});

test('the late answer of a cancelled request is nobody’s, and takes no other’s place', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  const directory = temporary();
  const slow = { started: join(directory, 's'), file: join(directory, 'go') };
  client.hello(token);
  client.call(1, 'cancelled', 'wait_for', slow);
  client.call(2, 'kept', 'wait_for', { ...slow, file: join(directory, 'later') });
  const params = { requestId: 'cancelled' };
  const method = 'notifications/cancelled';
  client.send(FRAME.mcp, 0, JSON.stringify({ jsonrpc: '2.0', method, params }));
  writeFileSync(join(directory, 'go'), '');
  client.call(3, 'next', 'wait_for', slow);
  await client.frame(FRAME.reply, 3);
  writeFileSync(join(directory, 'later'), '');
  expect(parsed(await client.frame(FRAME.reply, 2))).toMatchObject({ id: 'kept' });
  expect(client.frames.map((f) => f.seq)).toEqual([0, 3, 2]);
});

test('the 257th waiting request is refused by name; the others are not hurt', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  const directory = temporary();
  client.hello(token);
  const args = { started: join(directory, 's'), file: join(directory, 'never') };
  for (let seq = 1; seq <= 257; seq += 1) client.call(seq, seq, 'wait_for', args);
  const refused = parsed(await client.frame(FRAME.reply, 257));
  expect(refused).toMatchObject({ id: 257, error: { data: { code: 'limit_exceeded' } } });
  expect(refused['error']!['message']).toContain('256');
  expect(client.frames.filter((f) => f.kind === FRAME.reply)).toHaveLength(1);
});

test('the 513th session is refused by name', async () => {
  const { connect, token } = await daemonHere();
  const sessions = Array.from({ length: 512 }, connect);
  for (const session of sessions) session.hello(token);
  await Promise.all(sessions.map((session) => session.frame(FRAME.welcome)));
  const client = connect();
  client.hello(token);
  expect(await client.refusal()).toEqual({
    code: 'session_limit',
    message: '512 sessions are open already',
  });
});

test('the 1,025th connection is refused by name, whether or not anybody said hello', async () => {
  const { connect, token } = await daemonHere();
  // In parts, since the kernel queues 511; connections are taken in order, so the welcome of the
  // last says that all of its part are open.
  for (let part = 0; part < 4; part += 1) {
    const last = Array.from({ length: 256 }, connect).pop()!;
    last.hello(token);
    await last.frame(FRAME.welcome);
  }
  const refused = await connect().refusal();
  expect(refused?.code).toBe('session_limit');
  expect(refused?.message).toContain('1024');
});

test('a client that does not read holds nobody else up', async () => {
  const { connect, token } = await daemonHere();
  const slow = connect();
  slow.hello(token);
  await slow.frame(FRAME.welcome);
  slow.socket.pause();
  for (let seq = 1; seq <= 5; seq += 1) slow.call(seq, seq, 'big', { bytes: 10_000_000 });
  const quick = connect();
  quick.hello(token);
  quick.call(1, 1, 'echo', { text: 'through' });
  expect(parsed(await quick.frame(FRAME.reply, 1))).toMatchObject({ result: { value: 'through' } });
  slow.socket.resume();
  await slow.frame(FRAME.reply, 5);
  expect(slow.frames.filter((f) => f.kind === FRAME.reply)).toHaveLength(5);
});

test('an answer over 64 MiB becomes an error that names the limit', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  client.hello(token);
  client.call(1, 'huge', 'big', { bytes: 70_000_000 });
  const { id, error } = parsed(await client.frame(FRAME.reply, 1));
  expect(id).toBe('huge');
  expect(error!['message']).toMatch(/over the limit of 67108864 bytes/);
});

test('a file is read through the client, and its error arrives with its code', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  client.hello(token);
  client.call(1, 1, 'read', { path: 'a.txt' });
  const read = await client.frame(FRAME.read);
  expect(parsed(read)).toEqual({ path: 'a.txt' });
  client.send(FRAME.readResult, read!.seq, Buffer.concat([Buffer.of(0), Buffer.from('text')]));
  expect(parsed(await client.frame(FRAME.reply, 1))).toMatchObject({ result: { value: 'text' } });
});

test('a session that ends while its file is read rejects the read', async () => {
  const { connect, token, records } = await daemonHere();
  const client = connect();
  client.hello(token);
  client.call(1, 1, 'read', { path: 'a.txt' });
  await client.frame(FRAME.read);
  client.socket.destroy();
  await eventually(() => expect(records.at(-1)).toMatchObject({ msg: 'session closed' }));
});

test('an admin frame in an mcp session is refused', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  client.hello(token);
  client.send(FRAME.admin, 0, '{}');
  expect((await client.refusal())?.code).toBe('unexpected_frame');
});

test('malformed admin messages are answered', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  client.hello(token, { role: 'admin' });
  client.send(FRAME.admin, 0, 'nonsense');
  expect(parsed(await client.frame(FRAME.admin))).toMatchObject({ error: { code: -32700 } });
});

test('batches of administrators are refused, whatever they ask', async () => {
  const { connect, token } = await daemonHere();
  const client = connect();
  client.hello(token, { role: 'admin' });
  const one = { jsonrpc: '2.0', id: 1, method: 'sessions.list', params: {} };
  client.send(FRAME.admin, 0, ` ${JSON.stringify([one, one])}`);
  expect(parsed(await client.frame(FRAME.admin))).toMatchObject({
    id: null,
    error: { code: -32600, message: 'batches are not served; send one message a frame' },
  });
});

/** An admin method that answers when the test says so. */
function slowAdmin() {
  const inWork: (() => void)[] = [];
  const handle = () => new Promise<object>((resolve) => inWork.push(() => resolve({})));
  const admin = async () => ({ handlers: { slow: handle }, methods: [] });
  return { inWork, composition: { surfaces: {}, admin } };
}

test('of what an administrator asks at once eight are in work, 256 wait, and one more is refused', async () => {
  const { inWork, composition } = slowAdmin();
  const { connect, token } = await daemonHere({ composition });
  const client = connect();
  client.hello(token, { role: 'admin' });
  for (let id = 1; id <= 257; id += 1) {
    client.send(FRAME.admin, 0, JSON.stringify({ jsonrpc: '2.0', id, method: 'slow' }));
  }
  expect(parsed(await client.frame(FRAME.admin))).toMatchObject({
    id: 257,
    error: { code: -32000, data: { code: 'limit_exceeded', retryable: true } },
  });
  await eventually(() => expect(inWork).toHaveLength(8));
  const answers = () => client.frames.filter((frame) => frame.kind === FRAME.admin);
  await eventually(() => {
    for (const answer of inWork.splice(0, 8)) answer();
    expect(answers()).toHaveLength(257);
  });
});

test('what an administrator left waiting is not begun once it is gone', async () => {
  const { inWork, composition } = slowAdmin();
  const { connect, token, daemon, ends } = await daemonHere({ composition });
  const client = connect();
  client.hello(token, { role: 'admin' });
  for (let id = 1; id <= 20; id += 1) {
    client.send(FRAME.admin, 0, JSON.stringify({ jsonrpc: '2.0', id, method: 'slow' }));
  }
  await eventually(() => expect(inWork).toHaveLength(8));
  client.socket.destroy();
  await daemon.retire('test');
  expect(ends).toEqual(['test']);
  for (const answer of inWork) answer();
  await new Promise((resolve) => setImmediate(resolve));
  expect(inWork).toHaveLength(8);
});

test('fuzzed hellos and frames never end the daemon nor reach another session', async () => {
  const { connect, token } = await daemonHere();
  const witness = connect();
  witness.hello(token);
  await witness.frame(FRAME.welcome);
  const anyFrame = fc.record({
    kind: fc.integer({ min: 0, max: 12 }),
    seq: fc.nat(),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((b) => Buffer.from(b)),
      fc.json().map((text) => Buffer.from(text)),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(anyFrame, { maxLength: 8 }), async (greets, frames) => {
      const client = connect();
      if (greets) client.hello(token, { role: 'admin' });
      for (const { kind, seq, payload } of frames) {
        const header = Buffer.alloc(9);
        header.writeUInt32BE(payload.length, 0);
        header.writeUInt8(kind, 4);
        header.writeUInt32BE(seq, 5);
        client.socket.write(Buffer.concat([header, payload]));
      }
      client.socket.end();
      await client.closed;
    }),
    { numRuns: 200 },
  );
  witness.call(9, 'w', 'echo', { text: 'untouched' });
  expect(parsed(await witness.frame(FRAME.reply, 9))).toMatchObject({
    result: { value: 'untouched' },
  });
  expect(witness.frames.map((f) => f.kind)).toEqual([FRAME.welcome, FRAME.reply]);
});

test('sessions answer at the same time without a mixed-up reply', async () => {
  const { connect, token } = await daemonHere();
  const clients = Array.from({ length: 20 }, connect);
  for (const [at, client] of clients.entries()) {
    client.hello(token);
    for (let seq = 1; seq <= 50; seq += 1) client.call(seq, seq, 'echo', { text: `${at}/${seq}` });
  }
  for (const [at, client] of clients.entries()) {
    await client.frame(FRAME.reply, 50);
    const replies = client.frames.filter((f) => f.kind === FRAME.reply);
    expect(replies.map((f) => parsed(f)['result']!['value'])).toEqual(
      Array.from({ length: 50 }, (_, i) => `${at}/${i + 1}`),
    );
  }
});

test('administrators are answered where the admin methods cannot be loaded, and the next one tries again', async () => {
  let loads = 0;
  const composition = {
    surfaces: {},
    admin: async () => {
      loads += 1;
      if (loads === 1) throw new Error('a file is missing');
      return { handlers: {}, methods: [] };
    },
  };
  const { connect, token } = await daemonHere({ composition });
  const ask = async () => {
    const client = connect();
    client.hello(token, { role: 'admin' });
    client.send(FRAME.admin, 0, '{"jsonrpc":"2.0","id":7,"method":"daemon.status","params":{}}');
    return parsed(await client.frame(FRAME.admin));
  };
  expect(await ask()).toMatchObject({ id: 7, error: { data: { category: 'internal' } } });
  expect(await ask()).toMatchObject({ id: 7, result: { pid: process.pid } });
});
