import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  encodeHeader,
  FRAME,
  FrameDecoder,
  FrameError,
  type FrameKind,
  MAX_MESSAGE_BYTES,
} from '../../src/protocol/link/frames.ts';
import { encodeFrame } from './encode-frame.ts';

const kind = fc.constantFrom(...(Object.values(FRAME) as FrameKind[]));
const frame = fc.record({
  kind,
  seq: fc.integer({ min: 0, max: 0xffff_ffff }),
  payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

/** Cut `bytes` at the given places, taken as fractions of its length. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const at = [...places.map((p) => Math.floor(p * bytes.length)), 0, bytes.length].sort(
    (a, b) => a - b,
  );
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

test('however a stream of frames is chunked, the same frames come out', () => {
  const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 20 }), places, (frames, cuts) => {
      const stream = Buffer.concat(frames.map((f) => encodeFrame(f.kind, f.seq, f.payload)));
      const decoder = new FrameDecoder();
      const decoded = cut(stream, cuts).flatMap((chunk) => decoder.push(chunk));
      expect(decoded).toEqual(frames);
    }),
  );
});

test('a stream fed byte by byte gives the same frames', () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 4 }), (frames) => {
      const stream = Buffer.concat(frames.map((f) => encodeFrame(f.kind, f.seq, f.payload)));
      const decoder = new FrameDecoder();
      const decoded = [...stream].flatMap((byte) => decoder.push(Buffer.of(byte)));
      expect(decoded).toEqual(frames);
    }),
    { numRuns: 30 },
  );
});

test('large frames among small ones come out the same, whatever the pieces', () => {
  const size = fc.constantFrom(0, 7, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000);
  const pieces = fc.constantFrom(64 * 1024, 1024 * 1024, 1_000_003, 8_000_000);
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 4 }), pieces, (sizes, bytes) => {
      const frames = sizes.map((length, seq) => ({
        kind: FRAME.mcp,
        seq,
        payload: Buffer.alloc(length, seq + 1),
      }));
      const stream = Buffer.concat(frames.map((f) => encodeFrame(f.kind, f.seq, f.payload)));
      const decoder = new FrameDecoder();
      const decoded = [];
      for (let at = 0; at < stream.length; at += bytes) {
        decoded.push(...decoder.push(stream.subarray(at, at + bytes)));
      }
      expect(decoded.map(({ kind, seq }) => [kind, seq])).toEqual(
        frames.map(({ kind, seq }) => [kind, seq]),
      );
      expect(decoded.every(({ payload }, at) => payload.equals(frames[at]!.payload))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('garbage gives frames or a FrameError, and nothing else is thrown', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), (chunks) => {
      const decoder = new FrameDecoder();
      try {
        for (const chunk of chunks) decoder.push(chunk);
      } catch (error) {
        expect(error).toBeInstanceOf(FrameError);
      }
    }),
    { numRuns: 500 },
  );
});

test('a payload over 64 MiB is refused by its header, before any of it is kept', () => {
  const header = Buffer.alloc(9);
  header.writeUInt32BE(MAX_MESSAGE_BYTES + 1, 0);
  header.writeUInt8(FRAME.mcp, 4);
  expect(() => new FrameDecoder().push(header)).toThrow(
    /67108865 bytes is over the limit of 67108864/,
  );
});

test('a payload over 64 MiB cannot be sent', () => {
  expect(() => encodeHeader(FRAME.mcp, 1, MAX_MESSAGE_BYTES + 1)).toThrow(FrameError);
});

test('an unknown kind is refused by name', () => {
  const bytes = Buffer.from([0, 0, 0, 0, 200, 0, 0, 0, 0]);
  try {
    new FrameDecoder().push(bytes);
    expect.unreachable();
  } catch (error) {
    expect((error as FrameError).code).toBe('unknown_frame_kind');
  }
});

test('an HTTP request is refused as a frame', () => {
  expect(() => new FrameDecoder().push(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toThrow(FrameError);
});
