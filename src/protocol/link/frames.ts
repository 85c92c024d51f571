/**
 * Binary-safe frames between proxy, CLI and daemon (design 5):
 * `uint32 length, uint8 kind, uint32 seq, payload`, big endian; `length`
 * counts the payload alone. Pure: bytes in, frames out, no sockets.
 */

/** Kind bytes. A number, once given, is never given another meaning. */
export const FRAME = {
  hello: 1,
  welcome: 2,
  /** One MCP message, opaque; from the client its `seq` names it. */
  mcp: 3,
  /** An MCP response; `seq` is that of the request it answers. */
  reply: 4,
  /** Daemon to client: read this file with your own rights. */
  read: 5,
  readResult: 6,
  /** One json-rpc-2.0 message. */
  admin: 7,
  /** Client to daemon: a line for the daemon's log. */
  log: 8,
  /** To the daemon: please make room for a newer one. From it: reconnect soon. */
  retire: 9,
  /** A named limit or refusal; the sender closes after it. */
  error: 10,
} as const;

export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

const LAST_KIND = 10;

export const HEADER_BYTES = 9;

/** Largest payload of one frame: 64 MiB, the line limit of the tui surface too (design 5, U-210). */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export interface Frame {
  kind: FrameKind;
  seq: number;
  /** Owned by the receiver. */
  payload: Buffer;
}

export type FrameErrorCode = 'message_too_large' | 'unknown_frame_kind';

/** The stream cannot be read on: what follows has no known boundary. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
  readonly code: FrameErrorCode;

  constructor(code: FrameErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The 9 bytes before a payload of `payloadBytes`; large payloads are written after it uncopied. */
export function encodeHeader(kind: FrameKind, seq: number, payloadBytes: number): Buffer {
  if (payloadBytes > MAX_MESSAGE_BYTES) throw tooLarge(payloadBytes, MAX_MESSAGE_BYTES);
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt32BE(payloadBytes, 0);
  header.writeUInt8(kind, 4);
  header.writeUInt32BE(seq >>> 0, 5);
  return header;
}

/**
 * From here on the bytes of one frame are gathered in its own buffer: a socket
 * gives 64 KiB at a time, and a thousand such pieces kept until the last one
 * has come leave holes that the process never gives back. Not from the header
 * on, which may announce what never comes.
 */
const GATHERED_FROM_BYTES = 1024 * 1024;

/** Cuts a byte stream into frames, however the stream is chunked. */
export class FrameDecoder {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #buffered = 0;
  /** A large frame of which `#gathered` bytes have come. */
  #large: Buffer | undefined;
  #gathered = 0;

  constructor(maxBytes: number = MAX_MESSAGE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The frames completed by `chunk`, oldest first.
   *
   * @throws FrameError when a header names an unknown kind or a payload over the limit
   */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#large !== undefined) {
      bytes = this.#gather(bytes);
      if (this.#gathered < this.#large.length) return frames;
      frames.push(toFrame(this.#large));
      this.#large = undefined;
    }
    if (bytes.length > 0) {
      this.#chunks.push(bytes);
      this.#buffered += bytes.length;
    }
    while (this.#buffered >= HEADER_BYTES) {
      const header = this.#peekHeader();
      const length = header.readUInt32BE(0);
      const kind = header.readUInt8(4);
      if (kind < 1 || kind > LAST_KIND) {
        throw new FrameError('unknown_frame_kind', `frame kind ${kind} is unknown`);
      }
      if (length > this.#maxBytes) throw tooLarge(length, this.#maxBytes);
      if (this.#buffered < HEADER_BYTES + length) {
        if (this.#buffered >= GATHERED_FROM_BYTES) this.#beginLarge(HEADER_BYTES + length);
        break;
      }
      frames.push(toFrame(this.#take(HEADER_BYTES + length)));
    }
    return frames;
  }

  #beginLarge(size: number): void {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#buffered = 0;
    this.#large = Buffer.allocUnsafeSlow(size);
    this.#gathered = 0;
    for (const chunk of chunks) this.#gather(chunk);
  }

  /** @returns what belongs to the next frame */
  #gather(bytes: Buffer): Buffer {
    const copied = bytes.copy(this.#large!, this.#gathered);
    this.#gathered += copied;
    return bytes.subarray(copied);
  }

  #peekHeader(): Buffer {
    const first = this.#chunks[0]!;
    if (first.length >= HEADER_BYTES) return first;
    // Joining is bounded: it happens at most once per frame that straddles chunks this small.
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  /** Join once per frame, when all of it has come: a 64 MiB payload is copied once. */
  #take(bytes: number): Buffer {
    let first = this.#chunks[0]!;
    if (first.length < bytes) {
      const parts: Buffer[] = [];
      let have = 0;
      while (have < bytes) {
        const part = this.#chunks.shift()!;
        parts.push(part);
        have += part.length;
      }
      first = Buffer.concat(parts, have);
    } else {
      this.#chunks.shift();
    }
    if (first.length > bytes) this.#chunks.unshift(first.subarray(bytes));
    this.#buffered -= bytes;
    return first.subarray(0, bytes);
  }
}

/** @param whole header and payload */
function toFrame(whole: Buffer): Frame {
  return {
    kind: whole.readUInt8(4) as FrameKind,
    seq: whole.readUInt32BE(5),
    payload: whole.subarray(HEADER_BYTES),
  };
}

function tooLarge(bytes: number, limit: number): FrameError {
  return new FrameError(
    'message_too_large',
    `a message of ${bytes} bytes is over the limit of ${limit} bytes`,
  );
}
