import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AskedRequests } from '../../daemon/asked-requests.ts';

const ids = fc.array(fc.constantFrom('1', '2', '"1"', 'null'), { maxLength: 60 });

test('answers to one id take its requests in the order in which they came', () => {
  fc.assert(
    fc.property(ids, ids, (asked, answered) => {
      const requests = new AskedRequests();
      const model = new Map<string, number[]>();
      for (const [seq, id] of asked.entries()) {
        requests.add(id, seq);
        model.set(id, [...(model.get(id) ?? []), seq]);
      }
      for (const id of answered) expect(requests.take(id)?.seq).toBe(model.get(id)?.shift());
      expect(requests.outstanding).toBe([...model.values()].flat().length);
    }),
  );
});

test('in order, an id that nobody asked with means the oldest request', () => {
  const requests = new AskedRequests();
  requests.add('5', 1);
  requests.add('6', 2);
  expect(requests.takeInOrder('6')?.seq).toBe(2);
  expect(requests.takeInOrder('null')?.seq).toBe(1);
  expect(requests.takeInOrder('null')).toBeUndefined();
  expect(requests.outstanding).toBe(0);
});
