import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RawTransport } from '../../src/mcp/raw-transport.ts';
import { classifyLine } from '../../src/protocol/link/classify.ts';

/** What becomes of one line: ids that were answered at once, and messages handed on. */
function receive(line: string): { answered: unknown[]; handedOn: object[] } {
  const answered: unknown[] = [];
  const handedOn: object[] = [];
  const transport = new RawTransport((_, inReplyTo) => answered.push(inReplyTo));
  transport.onmessage = (message) => handedOn.push(message);
  transport.receive(Buffer.from(line));
  return { answered, handedOn };
}

const anyValue = fc.oneof(
  fc.constantFrom('2.0', '', 'ping', 1, 1.5, -0, 1e300, 2 ** 53, null, true, {}, [], '__proto__'),
  fc.jsonValue({ maxDepth: 1 }),
);
const anyMeta = fc.oneof(
  anyValue,
  fc.record(
    { progressToken: anyValue, 'io.modelcontextprotocol/related-task': anyValue, own: anyValue },
    { requiredKeys: [] },
  ),
);
const anyMessage = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>('2.0') }, anyValue),
    id: anyValue,
    method: fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>('ping') }, anyValue),
    params: fc.oneof(
      { weight: 2, arbitrary: fc.constant<unknown>({}) },
      fc.record({ _meta: anyMeta }),
      anyValue,
    ),
    result: anyValue,
    error: anyValue,
    timestamp: anyValue,
  },
  { requiredKeys: [] },
);

test('whatever the proxy waits an answer for is answered at once or handed on as a request', () => {
  fc.assert(
    fc.property(anyMessage, (message) => {
      const text = JSON.stringify(message);
      const line = classifyLine(Buffer.from(text), 'library');
      if (!line.wantsReply) return;
      const { answered, handedOn } = receive(text);
      if (answered.length === 1) {
        expect(JSON.stringify(answered[0])).toBe(line.idKey);
        return;
      }
      expect(answered).toEqual([]);
      expect(handedOn).toHaveLength(1);
      expect(handedOn[0]).toHaveProperty('method');
      expect(Object.keys(handedOn[0]!)).not.toContain('result');
      expect(Object.keys(handedOn[0]!)).not.toContain('error');
      // What it does not take for a request the SDK drops without a word.
      expect(isJSONRPCRequest(handedOn[0])).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a member that JSON-RPC does not know keeps no request from its answer', () => {
  const { answered, handedOn } = receive(
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":1},"trace":"x","__proto__":{"b":2}}',
  );
  expect(answered).toEqual([]);
  expect(handedOn).toEqual([{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { a: 1 } }]);
});

test.each(['5', 'null', '[]', '{"progressToken":{}}', '{"progressToken":1.5}'])(
  'a request whose _meta is %s is refused by name',
  (meta) => {
    const { answered, handedOn } = receive(
      `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":${meta}}}`,
    );
    expect(answered).toEqual([7]);
    expect(handedOn).toEqual([]);
  },
);
