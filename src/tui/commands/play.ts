import { isOk } from '../diagnostics/order.ts';
import { dumpFrame } from '../dump/dump.ts';
import { dumpText } from '../dump/text.ts';
import type { Files } from '../files/types.ts';
import { createApp } from '../interact/app.ts';
import { type PlayEvent, type PlayResult, runPlay } from '../interact/play.ts';
import { decodeUtf8 } from '../json/decode.ts';
import { compactSortedJson, type Printable, printJson, sortMembers } from '../json/print.ts';
import { parseScriptLine, scriptLines } from '../steps/script.ts';
import type { PlayStep, StepFault } from '../steps/types.ts';
import { parseStep, splitInput } from '../steps/words.ts';
import { parseFlags } from './flags.ts';
import { frameSize, oneFile, outputFormat, readBytes, readInputs } from './options.ts';
import { fail, reported, type ToolResult } from './result.ts';

/**
 * `play FILE` (U-180 … U-195).
 *
 * @param steps steps given whole (U-225), besides the command line
 */
export async function runPlayCommand(
  words: readonly string[],
  files: Files,
  steps: readonly string[] = [],
): Promise<ToolResult> {
  const flags = parseFlags('play', words);
  const path = oneFile('play', flags);
  const size = frameSize(flags);
  const format = outputFormat(flags);
  const input = flags.strings.get('input') ?? '';
  const script = flags.strings.get('script') ?? '';
  if (input !== '' && script !== '') fail('play: --input and --script are mutually exclusive');
  const parsed =
    script !== ''
      ? await readScript(files, script)
      : parseAll([...splitInput(input), ...steps], parseStep);
  const { loaded, data, theme } = await readInputs(files, path, flags);
  const strict = flags.booleans.get('strict') === true;
  const withFrames = flags.booleans.get('frames') === true;
  const dumps = {
    cells: flags.booleans.get('cells') === true,
    styles: flags.booleans.get('styles') === true,
  };
  const app = createApp({ loaded, data, theme, strict, ...size });
  const played = runPlay(app, parsed);
  if ('reason' in played)
    failStep(played.failedStep, parsed[played.failedStep - 1]!, played.reason);
  const ok = isOk(played.frame.diagnostics);
  if (format === 'text') return reported(playText(played, withFrames), ok);
  return reported(printJson(playJson(played, withFrames, dumps)), ok);
}

async function readScript(files: Files, path: string): Promise<PlayStep[]> {
  const lines = scriptLines(decodeUtf8(await readBytes(files, path)));
  if (lines === null) fail('play: bufio.Scanner: token too long');
  return parseAll(lines, parseScriptLine);
}

/** All steps are parsed before anything else is read (U-181, U-182). */
function parseAll(
  written: readonly string[],
  parse: (step: string) => PlayStep | StepFault,
): PlayStep[] {
  return written.map((step, i) => {
    const parsed = parse(step);
    if ('reason' in parsed) failStep(i + 1, { written: step }, parsed.reason);
    return parsed;
  });
}

function failStep(n: number, step: { readonly written: string }, reason: string): never {
  fail(`play: step ${n} (${step.written}): ${reason}`);
}

/** U-192, U-193. */
export function playText(played: PlayResult, withFrames: boolean): string {
  let out = '';
  if (withFrames) {
    for (const { step, input, frame, events } of played.frames) {
      const head = step === 0 ? '=== step 0 ===' : `=== step ${step}: ${input} ===`;
      out += `${head}\n${dumpText(frame)}${eventsText(events)}`;
    }
  }
  return out + dumpText(played.frame) + eventsText(played.events);
}

function eventsText(events: readonly PlayEvent[]): string {
  const lines = events.map(({ step, action, source, keys, value }) => {
    const who = source === '' ? '-' : source;
    return `${step} ${action} ${who} ${compactSortedJson(keys)} ${compactSortedJson(value)}`;
  });
  return `=== events ===\n${lines.length === 0 ? 'none' : lines.join('\n')}\n`;
}

/** U-194. */
export function playJson(
  played: PlayResult,
  withFrames: boolean,
  dumps: { readonly cells: boolean; readonly styles: boolean },
): Printable {
  const frames = played.frames.map(({ step, input, frame, events }) => ({
    step,
    input,
    events: events.map(eventMembers),
    dump: dumpFrame(frame, dumps),
  }));
  return {
    ...(dumpFrame(played.frame, dumps) as object),
    events: played.events.map(eventMembers),
    frames: withFrames && frames.length > 0 ? frames : undefined,
  };
}

function eventMembers({ step, action, source, keys, value }: PlayEvent): Printable {
  return { step, action, source, keys: sortMembers(keys), value: sortMembers(value) };
}
