import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Relay } from '../../proxy/relay.ts';
import type { Connection } from '../../src/protocol/link/connection.ts';
import { FRAME, MAX_MESSAGE_BYTES } from '../../src/protocol/link/frames.ts';
import type { ReachEvents } from '../../src/protocol/link/reach-daemon.ts';
import { emptySnapshot } from '../../src/protocol/link/snapshot.ts';

/** A daemon that answers each request with its own number. */
function echoing(events: ReachEvents): Connection {
  return {
    welcome: {
      protocol: 1,
      version: '0',
      features: [],
      limits: { messageBytes: 0, sessions: 0, queuedRequests: 0 },
      clock: null,
      session: 1,
      pid: 0,
    },
    early: [],
    send(kind, seq) {
      if (kind !== FRAME.mcp || seq === 0) return true;
      queueMicrotask(() =>
        events.onFrame({ kind: FRAME.reply, seq, payload: Buffer.from(`answer ${seq}`) }),
      );
      return true;
    },
    pause: () => {},
    resume: () => {},
    close: () => {},
  };
}

test('a daemon that ends in the breath in which it welcomes is followed by the next one', async () => {
  let reached = 0;
  const answer = await new Promise<string>((resolve) => {
    const relay = new Relay({
      surface: 'library',
      reach: async (events) => {
        reached += 1;
        if (reached === 1) events.onClose('the daemon closed the connection');
        return echoing(events);
      },
      loadSnapshot: () => emptySnapshot('library'),
      write: (message) => {
        resolve(message.toString());
        return true;
      },
      pauseInput: () => {},
      resumeInput: () => {},
      onSettled: () => {},
      onStarted: () => relay.close('over'),
    });
    relay.start();
    relay.receiveLine(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'));
  });
  expect(answer).toBe('answer 1');
  expect(reached).toBe(2);
});

test('a daemon that is silent for ten minutes with a request is not said to have ended', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers: string[] = [];
  const relay = new Relay({
    surface: 'library',
    // Takes everything and answers nothing.
    reach: async (events) => ({ ...echoing(events), send: () => true }),
    loadSnapshot: () => emptySnapshot('library'),
    write: (message) => {
      answers.push(message.toString());
      return true;
    },
    pauseInput: () => {},
    resumeInput: () => {},
    onSettled: () => {},
    onStarted: () => {},
  });
  relay.start();
  await vi.advanceTimersByTimeAsync(10);
  relay.receiveLine(
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"meta"}}'),
  );
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(answers).toEqual([]);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(JSON.parse(answers[0]!).error).toMatchObject({
    message: expect.stringMatching(/gave no sign of life for 10 minutes while meta was running/),
    data: { code: 'outcome_unknown' },
  });
  expect(answers).toHaveLength(1);
  relay.close('over');
});

/** A relay whose client reads and whose daemon takes as the test says. */
function openRelay(client: { reads: boolean }, daemon: { takes: boolean }) {
  const input: string[] = [];
  let events: ReachEvents | undefined;
  const relay = new Relay({
    surface: 'library',
    reach: async (given) => {
      if (events !== undefined) throw new Error('there is no other daemon');
      events = given;
      const connection = echoing(given);
      return {
        ...connection,
        send: (kind, seq, payload) => connection.send(kind, seq, payload) && daemon.takes,
      };
    },
    loadSnapshot: () => emptySnapshot('library'),
    write: () => client.reads,
    pauseInput: () => input.push('pause'),
    resumeInput: () => input.push('resume'),
    onSettled: () => {},
    onStarted: () => {},
  });
  onTestFinished(() => relay.close('over'));
  relay.start();
  return { relay, input, loseDaemon: () => events!.onClose('it ended') };
}

const REQUEST = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');

test.each([
  ['what no daemon sees', Buffer.from('not JSON')],
  ['what the daemon answers', REQUEST],
])('a client that reads no answers is not asked for more: %s', async (_what, line) => {
  const client = { reads: false };
  const { relay, input } = openRelay(client, { takes: true });
  await vi.waitFor(() => expect(relay.isConnected).toBe(true));
  relay.receiveLine(line);
  await vi.waitFor(() => expect(input).toEqual(['pause']));
  // What it sent before is still taken, and its answers open nothing.
  relay.receiveLine(REQUEST);
  await vi.waitFor(() => expect(relay.unanswered).toBe(0));
  expect(input).toEqual(['pause']);
  client.reads = true;
  relay.resumeOutput();
  expect(input).toEqual(['pause', 'resume']);
});

test('a daemon that ends while it takes no more leaves its client heard', async () => {
  const { relay, input, loseDaemon } = openRelay({ reads: true }, { takes: false });
  await vi.waitFor(() => expect(relay.isConnected).toBe(true));
  relay.receiveLine(Buffer.from('{"jsonrpc":"2.0","method":"notifications/progress"}'));
  expect(input).toEqual(['pause']);
  loseDaemon();
  expect(input).toEqual(['pause', 'resume']);
});

test('U-209 on tui calls keep their order when the daemon ends with them, an unknown tool’s too', async () => {
  const answers: number[] = [];
  let first: ReachEvents | undefined;
  const relay = new Relay({
    surface: 'tui',
    reach: async (events) => {
      // The first daemon takes everything and answers nothing.
      if (first !== undefined) return echoing(events);
      first = events;
      return { ...echoing(events), send: () => true };
    },
    loadSnapshot: () => emptySnapshot('tui'),
    write: (message) => answers.push(Number(/\d+/.exec(message.toString()))) > 0,
    pauseInput: () => {},
    resumeInput: () => {},
    onSettled: () => {},
    onStarted: () => {},
  });
  onTestFinished(() => relay.close('over'));
  relay.start();
  await vi.waitFor(() => expect(relay.isConnected).toBe(true));
  for (const name of ['tuimark_validate', 'no_such_tool', 'tuimark_dump']) {
    const call = { jsonrpc: '2.0', id: name, method: 'tools/call', params: { name } };
    relay.receiveLine(Buffer.from(JSON.stringify(call)));
  }
  first!.onClose('it ended');
  await vi.waitFor(() => expect(relay.unanswered).toBe(0));
  expect(answers).toEqual([1, 2, 3]);
});

test('a file that one daemon asked for is not given to the next, which numbers its questions anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-relay-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Read for so long that the next daemon is there before its end.
  const large = join(folder, 'large');
  writeFileSync(large, '');
  truncateSync(large, MAX_MESSAGE_BYTES - 1);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const daemons: ReachEvents[] = [];
  const given: string[] = [];
  const ask = (seq: number) => {
    const payload = Buffer.from(JSON.stringify({ path: large }));
    daemons.at(-1)!.onFrame({ kind: FRAME.read, seq, payload });
  };
  const relay = new Relay({
    surface: 'tui',
    reach: async (events) => {
      const number = daemons.push(events);
      return {
        ...echoing(events),
        send: (kind, seq) => {
          if (kind === FRAME.readResult) given.push(`${number}: ${seq}`);
          return true;
        },
      };
    },
    loadSnapshot: () => emptySnapshot('tui'),
    write: () => true,
    pauseInput: () => {},
    resumeInput: () => {},
    onSettled: () => {},
    onStarted: () => {},
  });
  onTestFinished(() => relay.close('over'));
  relay.start();
  await vi.waitFor(() => expect(relay.isConnected).toBe(true));
  ask(1);
  daemons[0]!.onClose('it ended');
  await vi.waitFor(() => expect(relay.isConnected).toBe(true));
  expect(given).toEqual([]);
  // As large, and one after the other: behind the second the first question's file is read too.
  for (const seq of [2, 3]) {
    ask(seq);
    await vi.waitFor(() => expect(given).toContain(`2: ${seq}`), { timeout: 10_000 });
  }
  expect(given).toEqual(['2: 2', '2: 3']);
});
