import { encodeHeader, type FrameKind, HEADER_BYTES } from './frames.ts';

/** Copying a payload this small behind its header costs less than a second write and wake-up. */
const JOINED_BYTES = 64 * 1024;

/**
 * Write one frame to a stream: small ones in one piece, large ones uncopied
 * behind their header.
 *
 * @returns false when the other side reads slower than we write
 * @throws FrameError message_too_large, with nothing written
 */
export function writeFrame(
  stream: NodeJS.WritableStream,
  kind: FrameKind,
  seq: number,
  payload: Uint8Array | string,
): boolean {
  const size = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
  const header = encodeHeader(kind, seq, size);
  if (size > JOINED_BYTES) {
    stream.write(header);
    return stream.write(typeof payload === 'string' ? Buffer.from(payload) : payload);
  }
  const frame = Buffer.allocUnsafe(HEADER_BYTES + size);
  frame.set(header);
  if (typeof payload === 'string') frame.write(payload, HEADER_BYTES);
  else frame.set(payload, HEADER_BYTES);
  return stream.write(frame);
}
