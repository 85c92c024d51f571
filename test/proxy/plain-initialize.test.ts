import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerFromSnapshot } from '../../proxy/answers.ts';
import { isPlainInitialize } from '../../proxy/plain-initialize.ts';
import { makeHandshakeSnapshot } from '../../src/mcp/handshake-snapshot.ts';
import { type LibraryService, openLibrarySurface } from '../../src/mcp/library.ts';
import type { SessionContext } from '../../src/mcp/surface.ts';
import { classifyLine } from '../../src/protocol/link/classify.ts';

const SESSION: SessionContext = {
  id: 0,
  surface: 'library',
  workspaceFlag: null,
  harness: null,
  cwd: '/',
  env: {},
  pid: 0,
  readFile: () => Promise.reject(new Error('nothing is read in a handshake')),
};

/** What a session asks before its first call. */
const LIBRARY = {
  holdProject: async () => () => {},
  touch: async () => {},
  onChange: () => () => {},
  promptDigest: async () => '',
} as unknown as LibraryService;

const snapshot = (await makeHandshakeSnapshot('library'))!;

/** The answer of the surface itself, that a daemon serves. */
function askSurface(text: Buffer): Promise<unknown> {
  return new Promise((resolve) => {
    const peer = openLibrarySurface(LIBRARY)(SESSION, (message) => {
      resolve(JSON.parse(message));
      void peer.close();
    });
    peer.receive(text);
  });
}

const odd = fc.oneof(
  fc.constantFrom<unknown>({}, true, 1, null, [], 'x', { listChanged: true }, { form: {} }),
  fc.jsonValue({ maxDepth: 2 }),
);
/** Usually `good`, else anything. */
const mostly = (good: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: odd });
/** JSON leaves `undefined` out. */
const rarely = mostly(fc.constant(undefined));
const some = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(members, { requiredKeys: [] });

const object = mostly(fc.constant({}));
const capabilities = some({
  roots: mostly(some({ listChanged: mostly(fc.boolean()) })),
  sampling: mostly(some({ tools: object, context: object })),
  elicitation: mostly(
    some({ form: mostly(some({ applyDefaults: mostly(fc.boolean()) })), url: object }),
  ),
  tasks: mostly(
    some({
      list: object,
      requests: mostly(some({ sampling: mostly(some({ createMessage: object })) })),
    }),
  ),
  experimental: mostly(fc.dictionary(fc.string(), mostly(some({ a: fc.jsonValue() })))),
  extensions: mostly(fc.dictionary(fc.string(), mostly(some({ mimeTypes: fc.jsonValue() })))),
  own: object,
});
const clientInfo = fc.record(
  {
    name: mostly(fc.string()),
    version: mostly(fc.string()),
    title: mostly(fc.string()),
    websiteUrl: mostly(fc.string()),
    description: mostly(fc.string()),
    icons: rarely,
    own: odd,
  },
  { requiredKeys: ['name', 'version'] },
);
const initialize = fc.record(
  {
    jsonrpc: mostly(fc.constant('2.0')),
    id: fc.oneof(fc.integer(), fc.string()),
    method: fc.constant('initialize'),
    params: fc.record(
      {
        protocolVersion: fc.oneof(
          mostly(fc.constantFrom('2025-11-25', '2024-11-05', '2026-07-28', '')),
          fc.constantFrom('__proto__', 'constructor', 'toString'),
        ),
        capabilities: mostly(capabilities),
        clientInfo: mostly(clientInfo),
        _meta: rarely,
        own: rarely,
      },
      { requiredKeys: ['protocolVersion', 'capabilities', 'clientInfo'] },
    ),
    own: rarely,
  },
  { requiredKeys: ['jsonrpc', 'id', 'method', 'params'] },
);

test('what the proxy takes for a plain initialize, the surface answers as it was recorded', async () => {
  let plain = 0;
  await fc.assert(
    fc.asyncProperty(initialize, async (message) => {
      const text = Buffer.from(JSON.stringify(message));
      if (!isPlainInitialize(text)) return;
      const recorded = answerFromSnapshot(snapshot, classifyLine(text, 'library'), text);
      if (recorded === undefined) return;
      plain += 1;
      expect(JSON.parse(recorded)).toEqual(await askSurface(text));
    }),
    { numRuns: 1_000 },
  );
  expect(plain).toBeGreaterThan(100);
});

test.each([
  ['a bare client', {}, {}],
  [
    'roots that change',
    { roots: { listChanged: true } },
    { title: 'A', websiteUrl: 'https://a.example' },
  ],
  [
    'forms and tasks',
    {
      elicitation: { form: {}, url: {} },
      tasks: { requests: { sampling: { createMessage: {} } } },
    },
    {},
  ],
  [
    'extensions',
    {
      extensions: { 'a.example/ui': { mimeTypes: ['text/html'] } },
      experimental: { a: { b: true } },
    },
    {},
  ],
])('an initialize as agents send it is plain: %s', (_, capabilities, info) => {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'a', version: '1', ...info },
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  expect(isPlainInitialize(Buffer.from(JSON.stringify(message)))).toBe(true);
});

test('objects without end in an initialize are none of the proxy’s business', () => {
  const depth = 100_000;
  const deep = `${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`;
  const text = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"a":${deep}},"clientInfo":{"name":"a","version":"1"}}}`;
  expect(isPlainInitialize(Buffer.from(text))).toBe(false);
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'a protocol version called %s is one that nobody knows',
  (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const text = Buffer.from(JSON.stringify(message));
    const answer = answerFromSnapshot(snapshot, classifyLine(text, 'library'), text);
    expect(JSON.parse(answer!)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: JSON.parse(snapshot.initializeOther!),
    });
  },
);
