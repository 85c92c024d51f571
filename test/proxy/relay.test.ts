import { expect, onTestFinished, test, vi } from 'vitest';
import { Relay } from '../../proxy/relay.ts';
import type { Connection } from '../../src/protocol/link/connection.ts';
import { FRAME } from '../../src/protocol/link/frames.ts';
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
