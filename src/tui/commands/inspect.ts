import { isOk } from '../diagnostics/order.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Files } from '../files/types.ts';
import { inspectFrame } from '../inspect/inspect.ts';
import { inspectText } from '../inspect/text.ts';
import { createApp } from '../interact/app.ts';
import { printJson } from '../json/print.ts';
import { type ParsedFlags, parseFlags } from './flags.ts';
import { frameSize, oneFile, readInputs } from './options.ts';
import { fail, reported, type ToolResult } from './result.ts';

type Query = { readonly at: { readonly x: number; readonly y: number } } | { readonly id: string };

/** `inspect FILE` (U-196 … U-208). */
export async function runInspect(words: readonly string[], files: Files): Promise<ToolResult> {
  const flags = parseFlags('inspect', words);
  const path = oneFile('inspect', flags);
  const size = frameSize(flags);
  const query = readQuery(flags, size);
  const { loaded, data, theme } = await readInputs(files, path, flags);
  const strict = flags.booleans.get('strict') === true;
  const frame = createApp({ loaded, data, theme, strict, ...size }).draw();
  const found = inspectFrame(frame, query);
  if ('error' in found) fail(`inspect: ${found.error}`);
  const isJson = flags.booleans.get('json') === true;
  return reported(
    isJson ? printJson(found.report) : inspectText(found.report),
    isOk(frame.diagnostics),
  );
}

/** Exactly one of `--at` and `--id`, judged by presence (U-196, U-197, U-198). */
function readQuery(flags: ParsedFlags, size: { cols: number; rows: number }): Query {
  const at = flags.strings.get('at');
  const id = flags.strings.get('id');
  if ((at === undefined) === (id === undefined)) {
    fail('inspect: give exactly one of --at X,Y and --id ID');
  }
  if (id !== undefined) {
    if (id === '') fail('inspect: --id wants an id');
    return { id };
  }
  return { at: readCell(at!, size) };
}

function readCell(text: string, { cols, rows }: { cols: number; rows: number }) {
  const comma = text.indexOf(',');
  if (comma < 0) fail(`inspect: --at ${quote(text)}: want X,Y`);
  const parts = [text.slice(0, comma), text.slice(comma + 1)];
  if (!parts.every((part) => /^[0-9]+$/.test(part))) {
    fail(`inspect: --at ${quote(text)}: want X,Y (0-based decimal cells)`);
  }
  const [x, y] = parts.map((part) => part.replace(/^0+(?=.)/, ''));
  // Compared as digits: a run too long for a number is outside any grid.
  const isInside = Number(x) < cols && Number(y) < rows;
  if (!isInside) fail(`inspect: --at ${x},${y} is outside the ${cols}x${rows} grid`);
  return { x: Number(x), y: Number(y) };
}
