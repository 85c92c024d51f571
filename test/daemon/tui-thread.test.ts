import { afterEach, expect, test } from 'vitest';
import { openSilentLog } from '../../daemon/log.ts';
import { openTuiThread } from '../../daemon/tui/client.ts';
import { Scope } from '../../src/core/scope.ts';
import type { SessionContext } from '../../src/mcp/surface.ts';

const scopes: Scope[] = [];
afterEach(async () => {
  for (const scope of scopes.splice(0)) await scope.close();
});

function session(id: number, files: Record<string, string>): SessionContext {
  return {
    id,
    surface: 'tui',
    workspaceFlag: null,
    harness: null,
    flags: {},
    cwd: '/nowhere',
    env: {},
    pid: 1,
    readFile: async (path) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return Buffer.from(text);
    },
  } as SessionContext;
}

function connect(options: { stuckMs?: number; heapMb?: number } = {}) {
  const scope = new Scope('test');
  scopes.push(scope);
  return openTuiThread({ scope, log: openSilentLog(), ...options });
}

const call = (id: number, file: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'tuimark_validate', arguments: { file } },
  });

const HELLO = '<tui version="1"><screen><text>hello</text></screen></tui>';

test('two sessions read their own files through the thread', async () => {
  const open = connect();
  const one = open(session(1, { 'a.tui': HELLO }));
  const two = open(session(2, { 'a.tui': '<nothing' }));
  const [first, second] = await Promise.all([
    one.handle(call(1, 'a.tui')),
    two.handle(call(1, 'a.tui')),
  ]);
  expect(JSON.parse(first!).result.content[0].text).not.toContain('V005');
  expect(JSON.parse(second!).result.content[0].text).toContain('V005');
});

test('a missing file is the tool’s own message, not a fault of the thread', async () => {
  const one = connect()(session(1, {}));
  const answer = JSON.parse((await one.handle(call(7, 'b.tui')))!);
  expect(answer).toMatchObject({ id: 7, result: { isError: true } });
  expect(answer.result.content[0].text).toContain('open b.tui: no such file or directory');
});

test('a document that keeps the thread too long is answered, and the next call works', async () => {
  // Rules and nodes multiply: far beyond what a tenth of a second can lay out.
  const rules = Array.from({ length: 4000 }, (_, i) => `.c${i} > text { color: red; }`).join('\n');
  const rows = Array.from({ length: 20_000 }, (_, i) => `<text class="c${i % 4000}">x</text>`).join(
    '',
  );
  const heavy = `<tui version="1"><style>${rules}</style><screen>${rows}</screen></tui>`;
  const one = connect({ stuckMs: 100 })(session(1, { 'h.tui': heavy, 'a.tui': HELLO }));
  const answer = JSON.parse((await one.handle(call(3, 'h.tui')))!);
  expect(answer).toMatchObject({ id: 3, error: { code: -32603 } });
  const next = JSON.parse((await one.handle(call(4, 'a.tui')))!);
  expect(next).toMatchObject({ id: 4, result: { content: [{ type: 'text' }] } });
});

test('a document that takes too much memory ends the thread and not the daemon', async () => {
  const heavy = `<tui version="1"><screen>${'<text>x</text>'.repeat(200_000)}</screen></tui>`;
  const one = connect({ heapMb: 64 })(session(1, { 'h.tui': heavy, 'a.tui': HELLO }));
  const answer = JSON.parse((await one.handle(call(3, 'h.tui')))!);
  expect(answer).toMatchObject({ id: 3, error: { code: -32603 } });
  const next = JSON.parse((await one.handle(call(4, 'a.tui')))!);
  expect(next).toMatchObject({ id: 4, result: { content: [{ type: 'text' }] } });
});

test('a client that never hands over its file holds no other up, for longer than a stuck thread is suffered', async () => {
  const stuckMs = 1_200;
  const open = connect({ stuckMs });
  let isHungAnswered = false;
  const hung = open({ ...session(1, {}), readFile: () => new Promise<never>(() => {}) });
  void hung.handle(call(1, 'a.tui')).then(() => (isHungAnswered = true));
  const other = open(session(2, { 'a.tui': HELLO }));
  const from = performance.now();
  do {
    const answer = JSON.parse((await other.handle(call(2, 'a.tui')))!);
    expect(answer).toMatchObject({ id: 2, result: { content: [{ type: 'text' }] } });
    await new Promise((resolve) => setTimeout(resolve, 50));
  } while (performance.now() - from < 2 * stuckMs);
  expect(isHungAnswered).toBe(false);
});
