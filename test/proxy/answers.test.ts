import { expect, test } from 'vitest';
import { answerFromSnapshot } from '../../proxy/answers.ts';
import { classifyLine } from '../../src/protocol/link/classify.ts';
import { SURFACES } from '../../src/protocol/link/hello.ts';
import { echoSnapshot } from '../wire/echo-product.ts';

const METHODS = ['initialize', 'ping', 'tools/list', 'server/discover'];

/** What the record answers to one message. */
function answer(surface: (typeof SURFACES)[number], message: object): string | undefined {
  const text = Buffer.from(JSON.stringify(message));
  return answerFromSnapshot({ ...echoSnapshot, surface }, classifyLine(text, surface), text);
}

test.each(METHODS)(
  'the record answers %s of JSON-RPC 2.0 alone: any other is an error (U-213)',
  (method) => {
    for (const surface of SURFACES) {
      expect(answer(surface, { jsonrpc: '2.0', id: 1, method })).toContain('"result":');
      for (const jsonrpc of [undefined, null, '1.0', 2, 2.0, ['2.0']]) {
        expect(answer(surface, { jsonrpc, id: 1, method })).toBeUndefined();
      }
    }
  },
);
