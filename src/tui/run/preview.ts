import { posix } from 'node:path';
import { type ParsedFlags, parseFlags } from '../commands/flags.ts';
import { type TuiIo, writeAll } from '../commands/io.ts';
import { frameSize, oneFile, readInputs } from '../commands/options.ts';
import { settle, type ToolResult } from '../commands/result.ts';
import { isOk } from '../diagnostics/order.ts';
import { dumpText } from '../dump/text.ts';
import { createApp } from '../interact/app.ts';
import { paintRows } from './ansi.ts';
import { chosenDepth } from './options.ts';

/** How often `--watch` looks at the files (U-175). */
const POLL_MS = 150;

/** `preview FILE` (U-175): the text dump, on a terminal with the painted frame before it. */
export async function runPreview(words: readonly string[], io: TuiIo): Promise<number> {
  const flags = parseFlags('preview', words);
  const path = oneFile('preview', flags);
  const size = frameSize(flags);
  const isTerminal = io.stdout.isTTY === true;
  const depth = chosenDepth(flags, io.env, isTerminal);
  const render = async (): Promise<ToolResult> => {
    const { loaded, data, theme } = await readInputs(io.files, path, flags);
    const frame = createApp({ loaded, data, theme, strict: false, ...size }).draw();
    const painting = isTerminal ? `${paintRows(frame, depth).join('\n')}\n` : '';
    const exitCode = isOk(frame.diagnostics) ? 0 : 2;
    return { stdout: painting + dumpText(frame), stderr: '', exitCode };
  };
  const isWatching = flags.booleans.get('watch') === true;
  // Taken before the frame is drawn, so that a change meanwhile is not missed.
  const seen = isWatching ? await contentOf(io, path, flags) : '';
  const first = await settle(render);
  if (!isWatching) {
    await writeAll(io.stdout, first.stdout);
    await writeAll(io.stderr, first.stderr);
    return first.exitCode;
  }
  await writeAll(io.stdout, first.stdout + first.stderr);
  return watch(io, path, flags, seen, isTerminal, render);
}

/** Render again whenever a file changes; ends only when nobody reads any more. */
async function watch(
  io: TuiIo,
  path: string,
  flags: ParsedFlags,
  before: string,
  isTerminal: boolean,
  render: () => Promise<ToolResult>,
): Promise<number> {
  let seen = before;
  for (let reloads = 0; ; ) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const now = await contentOf(io, path, flags);
    if (now === seen) continue;
    seen = now;
    reloads++;
    const head = isTerminal ? '\u001b[2J\u001b[H' : `=== reload ${reloads} ===\n`;
    const { stdout, stderr } = await settle(render);
    await writeAll(io.stdout, head + stdout + stderr);
  }
}

/** Everything the frame depends on, as one text to compare: document, sheets, data. */
async function contentOf(io: TuiIo, path: string, flags: ParsedFlags): Promise<string> {
  const read = async (file: string) => {
    try {
      return Buffer.from(await io.files.readFile(file)).toString('latin1');
    } catch (error) {
      return `unreadable: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  const document = await read(path);
  const parts = [document];
  // The sources of sheets are found without parsing: a half-saved document must not end the watch.
  for (const [, src] of document.matchAll(/\bsrc\s*=\s*"([^"]*)"/g)) {
    parts.push(await read(posix.isAbsolute(src!) ? src! : posix.join(posix.dirname(path), src!)));
  }
  const data = flags.strings.get('data') ?? '';
  if (data !== '') parts.push(await read(data));
  return parts.join('\u0000');
}
