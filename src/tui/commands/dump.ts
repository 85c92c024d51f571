import { isOk } from '../diagnostics/order.ts';
import { dumpFrame } from '../dump/dump.ts';
import { dumpText } from '../dump/text.ts';
import type { Files } from '../files/types.ts';
import { createApp } from '../interact/app.ts';
import { printJson } from '../json/print.ts';
import { parseFlags } from './flags.ts';
import { frameSize, oneFile, outputFormat, readInputs } from './options.ts';
import { reported, type ToolResult } from './result.ts';

/** `dump FILE` (U-153): the first frame at the given size. */
export async function runDump(words: readonly string[], files: Files): Promise<ToolResult> {
  const flags = parseFlags('dump', words);
  const path = oneFile('dump', flags);
  const size = frameSize(flags);
  const format = outputFormat(flags);
  const { loaded, data, theme } = await readInputs(files, path, flags);
  const strict = flags.booleans.get('strict') === true;
  const frame = createApp({ loaded, data, theme, strict, ...size }).draw();
  const ok = isOk(frame.diagnostics);
  if (format === 'text') return reported(dumpText(frame), ok);
  const cells = flags.booleans.get('cells') === true;
  const styles = flags.booleans.get('styles') === true;
  return reported(printJson(dumpFrame(frame, { cells, styles })), ok);
}
