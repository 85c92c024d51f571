/** What the client's bytes come to. */
export type InputEvent = { line: Buffer } | { tooLong: true };

const LF = 10;
const CR = 13;

/**
 * Cuts the client's byte stream into lines, however it is chunked. Bytes are
 * not decoded, so a character split over two chunks stays whole. Blank lines
 * and trailing carriage returns are dropped; a line of `maxBytes` or more is
 * reported once, when the limit is reached, and skipped.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #isSkipping = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Lines completed by `chunk`, oldest first. */
  push(chunk: Buffer): InputEvent[] {
    const events: InputEvent[] = [];
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LF, from);
      if (end === -1) break;
      this.#append(chunk.subarray(from, end), events);
      this.#endLine(events);
      from = end + 1;
    }
    if (from < chunk.length) this.#append(chunk.subarray(from), events);
    return events;
  }

  /** The last line, when the stream ends without a line feed. */
  flush(): InputEvent[] {
    const events: InputEvent[] = [];
    this.#endLine(events);
    return events;
  }

  #append(part: Buffer, events: InputEvent[]): void {
    if (this.#isSkipping) return;
    if (this.#partBytes + part.length >= this.#maxBytes) {
      this.#isSkipping = true;
      this.#parts = [];
      this.#partBytes = 0;
      events.push({ tooLong: true });
      return;
    }
    this.#parts.push(part);
    this.#partBytes += part.length;
  }

  #endLine(events: InputEvent[]): void {
    const line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partBytes = 0;
    if (this.#isSkipping) {
      this.#isSkipping = false;
      return;
    }
    let end = line.length;
    while (end > 0 && line[end - 1] === CR) end -= 1;
    const trimmed = line.subarray(0, end);
    if (!isBlank(trimmed)) events.push({ line: trimmed });
  }
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09);
}
