import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueAt } from '../../daemon/indexer/settle.ts';

const burst = fc
  .record({ firstAt: fc.integer(), length: fc.nat(10_000), paths: fc.integer({ min: 1 }) })
  .map(({ firstAt, length, paths }) => ({ firstAt, lastAt: firstAt + length, paths }));

test('a burst is never waited for longer than a second after its first event', () => {
  fc.assert(fc.property(burst, (it) => dueAt(it) - it.firstAt <= 1_000));
});

test('a single save is acted on 20 ms after its last event', () => {
  expect(dueAt({ firstAt: 100, lastAt: 110, paths: 2 })).toBe(130);
});

test('a file that is written without a pause is acted on after 100 ms', () => {
  expect(dueAt({ firstAt: 100, lastAt: 195, paths: 1 })).toBe(200);
});

test('a crowd of files is waited for until it has been quiet', () => {
  expect(dueAt({ firstAt: 100, lastAt: 400, paths: 300 })).toBe(460);
});
