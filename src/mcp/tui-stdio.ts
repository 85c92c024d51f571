import type { Files } from '../tui/files/types.ts';
import { createTuiServer, MAX_LINE_BYTES } from './tui.ts';

const LF = 0x0a;

/**
 * Serve the tui surface on a stream of bytes, one message per line, until it ends (U-209, U-210).
 * Each answer is written before the next line is read; a last line without LF counts.
 *
 * @param write writes one answer with its LF; rejects when nobody reads any more
 * @throws when a line is too long, or a stream fails (U-211)
 */
export async function serveTuiLines(
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => Promise<void>,
  files: Files,
): Promise<void> {
  const server = createTuiServer(files);
  const answer = async (line: Uint8Array) => {
    const reply = await server.handle(line);
    if (reply !== null) await write(`${reply}\n`);
  };
  for await (const line of splitLines(input)) await answer(line);
}

/** Lines without their LF, bounded in length. */
async function* splitLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LF, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      length += part.length;
      if (length >= MAX_LINE_BYTES) throw new Error('bufio.Scanner: token too long');
      parts.push(part);
      if (end < 0) break;
      yield join(parts, length);
      parts = [];
      length = 0;
      from = end + 1;
    }
  }
  if (length > 0) yield join(parts, length);
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts, length);
}
