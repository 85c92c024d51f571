import { diagnosticLines } from '../diagnostics/print.ts';
import { type Files, fileErrorText, type WritableFiles } from '../files/types.ts';
import { decodeUtf8 } from '../json/decode.ts';
import { baseName } from '../language/load.ts';
import { readMarkup } from '../language/parse.ts';
import { formatMarkup } from '../markup/format.ts';
import { parseFlags } from './flags.ts';
import { oneFile, readBytes } from './options.ts';
import { fail, type ToolResult } from './result.ts';

/** `fmt FILE` (U-167). `--check` wins over `--write`. */
export async function runFmt(
  words: readonly string[],
  files: Files | WritableFiles,
): Promise<ToolResult> {
  const flags = parseFlags('fmt', words);
  const path = oneFile('fmt', flags);
  const bytes = await readBytes(files, path);
  const read = readMarkup(bytes, baseName(path));
  if ('fault' in read) {
    return { stdout: '', stderr: diagnosticLines([read.fault]), exitCode: 2 };
  }
  const formatted = formatMarkup(read.markup);
  const isFormatted = formatted === decodeUtf8(bytes);
  if (flags.booleans.get('check') === true) {
    if (isFormatted) return { stdout: '', stderr: '', exitCode: 0 };
    return { stdout: `${path}\n`, stderr: '', exitCode: 2 };
  }
  if (flags.booleans.get('write') !== true) return { stdout: formatted, stderr: '', exitCode: 0 };
  if (!isFormatted) await write(files, path, formatted);
  return { stdout: '', stderr: '', exitCode: 0 };
}

async function write(files: Files | WritableFiles, path: string, text: string): Promise<void> {
  if (!('writeFile' in files)) fail('fmt: files cannot be written here');
  try {
    await files.writeFile(path, text);
  } catch (error) {
    fail(fileErrorText(error, path));
  }
}
