import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FRAME, type FrameKind } from '../../src/protocol/link/frames.ts';
import { plainHello, RawClient } from '../daemon/raw-client.ts';
import { encodeFrame } from '../protocol/encode-frame.ts';
import { faultOf, openLibraryBench } from '../wire/library-bench.ts';

const MINUTES = 60_000;
const RUNS = 300;

/** Of a newer client the daemon would rightly retire for a `retire` frame. */
const OLD = '0.0.1';

/** Bytes as a hostile or broken client might send them: garbage, frames out of place, cut-off frames. */
function wireBytes(token: string) {
  const json = fc.json().map((text) => Buffer.from(text));
  const payload = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
    json,
    fc
      .record(
        { id: fc.jsonValue(), method: fc.string(), params: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((message) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))),
    fc.record({ uri: fc.string(), query: fc.string({ maxLength: 200 }) }).map((given) =>
      Buffer.from(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'search_skills', arguments: given },
        }),
      ),
    ),
  );
  const frame = fc
    .record({ kind: fc.integer({ min: 1, max: 10 }), seq: fc.nat(2 ** 32 - 1), payload })
    .map(({ kind, seq, payload }) => encodeFrame(kind as FrameKind, seq, payload));
  const hello = fc
    .record(
      {
        protocol: fc.oneof(fc.constant(1), fc.jsonValue()),
        version: fc.oneof(fc.constant(OLD), fc.string()),
        token: fc.oneof(
          { weight: 4, arbitrary: fc.constant(token) },
          { weight: 1, arbitrary: fc.string() },
        ),
        role: fc.oneof(fc.constantFrom('mcp', 'admin'), fc.string()),
        surface: fc.oneof(fc.constantFrom('library', 'registry', 'tui'), fc.string()),
        workspace: fc.option(fc.string()),
        harness: fc.option(fc.string()),
        flags: fc.oneof(fc.constant({}), fc.dictionary(fc.string(), fc.string())),
        cwd: fc.oneof(fc.constant('/'), fc.string()),
        env: fc.oneof(fc.constant({}), fc.dictionary(fc.string(), fc.string())),
      },
      { requiredKeys: [] },
    )
    .map((given) =>
      encodeFrame(FRAME.hello, 0, JSON.stringify({ ...plainHello, version: OLD, token, ...given })),
    );
  const giant = fc
    .uint8Array({ minLength: 5, maxLength: 5 })
    .map((bytes) => Buffer.concat([Buffer.of(255, 255, 255, 255), bytes]));
  return fc
    .tuple(
      fc.option(hello),
      fc.array(fc.oneof({ weight: 6, arbitrary: frame }, payload, giant), { maxLength: 6 }),
      fc.integer({ min: 1, max: 4000 }),
    )
    .map(([first, rest, cutAt]) => {
      const bytes = Buffer.concat([...(first === null ? [] : [first]), ...rest]);
      return cutAt < bytes.length ? [bytes.subarray(0, cutAt), bytes.subarray(cutAt)] : [bytes];
    });
}

test(
  'fuzzed frames and hellos: no crash, no hang, and no word of it reaches another session',
  async () => {
    const bench = openLibraryBench({ skills: 12 });
    await bench.enrol();
    const witness = bench.start();
    await witness.handshake();
    const { pid, socket } = await bench.daemon();
    const token = readFileSync(bench.paths.tokenFile, 'utf8');
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(wireBytes(token), async (pieces) => {
        const client = new RawClient(socket);
        for (const piece of pieces) client.socket.write(piece);
        const question = bench.question(asked++);
        const answer = await witness.call(question.tool, question.args);
        expect(faultOf(question, answer)).toBeUndefined();
        client.socket.end();
        await client.closed;
      }),
      { numRuns: RUNS, seed: 5 },
    );
    // The daemon is the same one, and the witness heard its own answers and nothing else.
    expect(bench.daemonPids()).toEqual([pid]);
    expect(witness.messages.filter((message) => message.method !== undefined)).toEqual([]);
    expect(witness.messages).toHaveLength(asked + 1);
    const status = JSON.parse((await bench.cli('daemon', 'status', '--json')).stdout);
    // The witness and the command itself.
    expect(status.sessions).toBeLessThanOrEqual(2);
  },
  3 * MINUTES,
);
