import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClientHandshake } from '../../proxy/client-handshake.ts';
import { Requests } from '../../proxy/requests.ts';
import { classifyLine } from '../../src/protocol/link/classify.ts';

const line = (message: object): [ReturnType<typeof classifyLine>, Buffer] => {
  const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return [classifyLine(text, 'library'), text];
};

const steps = fc.array(
  fc.record({
    what: fc.constantFrom('add' as const, 'send' as const, 'hold' as const, 'remove' as const),
    pick: fc.nat(),
  }),
  { maxLength: 200 },
);

test('requests are held, sent, held again and removed in the order in which they came', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const requests = new Requests();
      /** Number → whether a daemon has it. */
      const model = new Map<number, boolean>();
      for (const { what, pick } of list) {
        const known = [...model.keys()];
        const seq = known[pick % Math.max(1, known.length)] ?? 1;
        if (what === 'add') {
          requests.add(...line({ id: pick, method: 'ping' }));
          model.set(requests.all.at(-1)![0], false);
        } else if (what === 'send') {
          const before = requests.get(seq)?.sends;
          const isHeld = model.get(seq) === false;
          requests.noteSent(seq);
          if (isHeld) model.set(seq, true);
          expect(requests.get(seq)?.sends).toBe(isHeld ? before! + 1 : before);
        } else if (what === 'hold') {
          requests.holdAgain([seq]);
          if (model.has(seq)) model.set(seq, false);
        } else expect(requests.remove(seq)).toBe(model.delete(seq));
        const held = [...model].filter(([, isSent]) => !isSent).map(([number]) => number);
        expect(requests.all.map(([number]) => number)).toEqual([...model.keys()]);
        expect(requests.held.map(([number]) => number)).toEqual(held);
        expect(requests.firstHeld?.[0]).toBe(held[0]);
        expect(requests.unanswered).toBe(model.size);
      }
    }),
  );
});

test('a subscription that stays open holds up no exit', () => {
  const requests = new Requests();
  requests.add(...line({ id: 1, method: 'subscriptions/listen' }));
  requests.add(...line({ id: 2, method: 'ping' }));
  expect(requests.unanswered).toBe(1);
});

test('bytes that wait count towards full, and no longer when they are gone', () => {
  const requests = new Requests();
  const [read] = line({ id: 1, method: 'ping' });
  requests.add(read, Buffer.alloc(64 * 1024 * 1024));
  expect(requests.isFull).toBe(true);
  requests.remove(requests.firstHeld![0]);
  expect(requests.isFull).toBe(false);
});

const repeated = (handshake: ClientHandshake, sawInitialize = false) =>
  [...handshake.repeat(sawInitialize)].map(({ text }) => JSON.parse(text.toString()).method);

test('a new daemon sees the handshake, the last level and every subscription, in order', () => {
  const handshake = new ClientHandshake();
  const initialize = line({ id: 1, method: 'initialize' });
  handshake.note(...initialize);
  handshake.noteAnswer(initialize[0]);
  handshake.note(...line({ method: 'notifications/initialized' }));
  for (const level of ['info', 'debug'])
    handshake.note(...line({ id: 2, method: 'logging/setLevel', params: { level } }));
  for (const uri of ['a', 'b', 'a'])
    handshake.note(...line({ id: 3, method: 'resources/subscribe', params: { uri } }));
  const rest = [
    'notifications/initialized',
    'logging/setLevel',
    ...Array(2).fill('resources/subscribe'),
  ];
  expect(repeated(handshake)).toEqual(['initialize', ...rest]);
  expect(repeated(handshake, true)).toEqual(rest);
  expect([...handshake.repeat(true)][1]!.text.toString()).toContain('debug');
});

test('a handshake whose answer is still waited for is sent as any request is, and not repeated', () => {
  const handshake = new ClientHandshake();
  handshake.note(...line({ id: 1, method: 'initialize' }));
  expect(repeated(handshake)).toEqual([]);
});

test('an initialize without an id begins no session', () => {
  const handshake = new ClientHandshake();
  const first = line({ id: 1, method: 'initialize' });
  handshake.note(...first);
  handshake.noteAnswer(first[0]);
  handshake.note(...line({ method: 'initialize' }));
  expect(repeated(handshake)).toEqual(['initialize']);
});
