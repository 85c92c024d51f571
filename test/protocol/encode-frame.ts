import { encodeHeader, type FrameKind } from '../../src/protocol/link/frames.ts';

/** One frame as one buffer, of a kind that may be none. */
export function encodeFrame(kind: FrameKind, seq: number, payload: Uint8Array | string): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  return Buffer.concat([encodeHeader(kind, seq, bytes.length), bytes]);
}
