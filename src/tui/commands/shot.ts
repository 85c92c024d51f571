import { isOk } from '../diagnostics/order.ts';
import { type Files, fileErrorText, type WritableFiles } from '../files/types.ts';
import { createApp } from '../interact/app.ts';
import { runPlay } from '../interact/play.ts';
import { drawShot } from '../shot.ts';
import { parseStep, splitInput } from '../steps/words.ts';
import { parseFlags } from './flags.ts';
import { frameSize, oneFile, readInputs } from './options.ts';
import { fail, reported, type ToolResult } from './result.ts';

/** `shot FILE`: a frame as an SVG picture, for documentation and review. */
export async function runShot(
  words: readonly string[],
  files: Files | WritableFiles,
): Promise<ToolResult> {
  const flags = parseFlags('shot', words);
  const path = oneFile('shot', flags);
  const size = frameSize(flags);
  const steps = splitInput(flags.strings.get('input') ?? '').map((word, i) => {
    const step = parseStep(word);
    if ('reason' in step) fail(`shot: step ${i + 1} (${word}): ${step.reason}`);
    return step;
  });
  const { loaded, data, theme } = await readInputs(files, path, flags);
  const app = createApp({ loaded, data, theme, strict: false, ...size });
  const played = runPlay(app, steps);
  if ('reason' in played) {
    const { failedStep, reason } = played;
    fail(`shot: step ${failedStep} (${steps[failedStep - 1]!.written}): ${reason}`);
  }
  const svg = drawShot(played.frame);
  const ok = isOk(played.frame.diagnostics);
  const output = flags.strings.get('output') ?? '';
  if (output === '') return reported(svg, ok);
  if (!('writeFile' in files)) fail('shot: files cannot be written here');
  try {
    await files.writeFile(output, svg);
  } catch (error) {
    fail(fileErrorText(error, output));
  }
  return reported('', ok);
}
