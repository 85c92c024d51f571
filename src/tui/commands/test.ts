import { quote } from '../diagnostics/quote.ts';
import { dumpFrame } from '../dump/dump.ts';
import { dumpText } from '../dump/text.ts';
import { type Files, fileErrorText, type WritableFiles } from '../files/types.ts';
import { createApp } from '../interact/app.ts';
import { runPlay } from '../interact/play.ts';
import { decodeJson, decodeUtf8, JsonError } from '../json/decode.ts';
import { printJson } from '../json/print.ts';
import { parseScriptLine, scriptLines } from '../steps/script.ts';
import { parseSize, sizeFault } from '../steps/size.ts';
import type { PlayStep } from '../steps/types.ts';
import { parseStep, splitInput } from '../steps/words.ts';
import { type ParsedFlags, parseFlags } from './flags.ts';
import { firstDifference, firstLoss } from './golden-diff.ts';
import { type GoldenEntry, readManifest } from './golden-manifest.ts';
import { readBytes, readData, readDocument } from './options.ts';
import { playJson, playText } from './play.ts';
import { fail, ToolFailure, type ToolResult } from './result.ts';

const DEFAULT_DIR = 'testdata/golden';

/** What came of one comparison: nothing, a mismatch, or a fault of files or entries. */
type Verdict = 'pass' | 'mismatch' | 'fault';

interface Run {
  readonly files: Files | WritableFiles;
  readonly dir: string;
  readonly update: boolean;
  readonly allowBreaking: boolean;
  readonly lines: string[];
  readonly verdicts: Set<Verdict>;
}

/** `test [DIR]` (U-171 … U-174). */
export async function runTest(
  words: readonly string[],
  files: Files | WritableFiles,
): Promise<ToolResult> {
  const flags = parseFlags('test', words);
  const run = newRun(flags, files);
  const manifestPath = `${run.dir}/manifest.json`;
  let entries: GoldenEntry[];
  try {
    entries = readManifest(decodeUtf8(await readBytes(files, manifestPath)));
  } catch (error) {
    if (error instanceof JsonError) fail(`${manifestPath}: ${error.message}`);
    throw error;
  }
  for (const entry of entries) await runEntry(run, entry);
  const stdout = run.lines.map((line) => `${line}\n`).join('');
  const exitCode = run.verdicts.has('fault') ? 1 : run.verdicts.has('mismatch') ? 2 : 0;
  return { stdout, stderr: '', exitCode };
}

function newRun(flags: ParsedFlags, files: Files | WritableFiles): Run {
  const { positionals, booleans } = flags;
  if (positionals.length > 1) fail(`tuimark test: want at most one DIR, got ${positionals.length}`);
  return {
    files,
    dir: positionals[0] ?? DEFAULT_DIR,
    update: booleans.get('update') === true,
    allowBreaking: booleans.get('allow-breaking') === true,
    lines: [],
    verdicts: new Set(),
  };
}

function note(run: Run, verdict: Verdict, line: string): void {
  run.verdicts.add(verdict);
  run.lines.push(line);
}

async function runEntry(run: Run, entry: GoldenEntry): Promise<void> {
  const { name } = entry;
  const inputs = await attempt(run, `FAIL ${name}`, () => readEntryInputs(run, entry));
  if (inputs === null) return;
  for (const size of entry.sizes) {
    const outputs = await attempt(run, `FAIL ${name} ${size}`, async () =>
      render(entry, inputs, size),
    );
    if (outputs === null) continue;
    const isFrozen = entry.frozen || !run.update;
    if (isFrozen) await compare(run, entry, size, outputs);
    else await rewrite(run, entry, size, outputs);
  }
}

/** Run a part; its failure is a line of the report, not the end of the run. */
async function attempt<T>(run: Run, head: string, part: () => Promise<T>): Promise<T | null> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    note(run, 'fault', `${head}: ${error.stderr.replace(/^tuimark: /, '').trimEnd()}`);
    return null;
  }
}

interface EntryInputs {
  readonly loaded: Awaited<ReturnType<typeof readDocument>>;
  readonly data: Awaited<ReturnType<typeof readData>>;
  readonly theme: 'dark' | 'light' | null;
  readonly steps: readonly PlayStep[] | null;
}

async function readEntryInputs({ files }: Run, entry: GoldenEntry): Promise<EntryInputs> {
  const { name, input, script, theme } = entry;
  if (input !== '' && script !== '') fail('input and script are mutually exclusive');
  if (theme !== '' && theme !== 'dark' && theme !== 'light') {
    fail(`manifest entry ${quote(name)} theme must be dark or light (got ${quote(theme)})`);
  }
  let steps: PlayStep[] | null = null;
  if (input !== '') steps = readSteps(splitInput(input), parseStep);
  if (script !== '') {
    const lines = scriptLines(decodeUtf8(await readBytes(files, script)));
    if (lines === null) fail('bufio.Scanner: token too long');
    steps = readSteps(lines, parseScriptLine);
  }
  const loaded = await readDocument(files, entry.file);
  const data = entry.data === '' ? new Map() : await readData(files, entry.data);
  return { loaded, data, theme: theme === '' ? null : theme, steps };
}

function readSteps(words: readonly string[], parse: typeof parseStep): PlayStep[] {
  return words.map((word, i) => {
    const step = parse(word);
    if ('reason' in step) fail(`play step ${i + 1} (${word}): ${step.reason}`);
    return step;
  });
}

interface Outputs {
  readonly text: string;
  readonly json: string;
}

function render(entry: GoldenEntry, inputs: EntryInputs, written: string): Outputs {
  const size = parseSize(written);
  if ('reason' in size) fail(`bad size ${quote(written)} (want COLSxROWS)`);
  const fault = sizeFault(size.cols, size.rows);
  if (fault !== null) fail(fault);
  const { loaded, data, theme, steps } = inputs;
  const [cols, rows] = [Number(size.cols), Number(size.rows)];
  const app = createApp({ loaded, data, theme, strict: false, cols, rows });
  if (steps === null) {
    const frame = app.draw();
    return { text: dumpText(frame), json: printJson(dumpFrame(frame, entry)) };
  }
  const played = runPlay(app, steps);
  if ('reason' in played) {
    const { failedStep, reason } = played;
    fail(`play step ${failedStep} (${steps[failedStep - 1]!.written}): ${reason}`);
  }
  return { text: playText(played, false), json: printJson(playJson(played, false, entry)) };
}

function goldenPath(run: Run, entry: GoldenEntry, size: string, kind: 'text' | 'json'): string {
  return `${run.dir}/${entry.name}/${size}.${kind === 'text' ? 'txt' : 'json'}`;
}

function kindsOf(entry: GoldenEntry, size: string): ('json' | 'text')[] {
  return entry.json.includes(size) ? ['json', 'text'] : ['text'];
}

async function compare(
  run: Run,
  entry: GoldenEntry,
  size: string,
  outputs: Outputs,
): Promise<void> {
  for (const kind of kindsOf(entry, size)) {
    const head = `${entry.name} ${size} (${kind})`;
    const want = await stored(run, goldenPath(run, entry, size, kind));
    if ('error' in want) {
      note(run, 'fault', `FAIL ${head}: ${want.error}`);
      continue;
    }
    const difference = firstDifference(want.text, outputs[kind]);
    if (difference === null) note(run, 'pass', `PASS ${head}`);
    else note(run, 'mismatch', `FAIL ${head}: ${difference}`);
  }
}

/** Rewrite the goldens of one size; a JSON golden may only gain members (U-174). */
async function rewrite(
  run: Run,
  entry: GoldenEntry,
  size: string,
  outputs: Outputs,
): Promise<void> {
  const kinds = kindsOf(entry, size);
  if (kinds.includes('json') && !run.allowBreaking) {
    const head = `FAIL ${entry.name} ${size} (json)`;
    const old = await stored(run, goldenPath(run, entry, size, 'json'));
    if ('error' in old && !old.isMissing) return note(run, 'fault', `${head}: ${old.error}`);
    if ('text' in old) {
      try {
        const loss = firstLoss(decodeJson(old.text), decodeJson(outputs.json));
        if (loss !== null) {
          return note(run, 'mismatch', `${head}: update removes or changes ${loss}`);
        }
      } catch (error) {
        if (!(error instanceof JsonError)) throw error;
        return note(run, 'fault', `${head}: ${error.message}`);
      }
    }
  }
  for (const kind of kinds) {
    const head = `${entry.name} ${size} (${kind})`;
    const path = goldenPath(run, entry, size, kind);
    try {
      if (!('writeFile' in run.files)) fail('test: files cannot be written here');
      await run.files.writeFile(path, outputs[kind]);
      note(run, 'pass', `PASS ${head}`);
    } catch (error) {
      if (error instanceof ToolFailure) throw error;
      note(run, 'fault', `FAIL ${head}: ${fileErrorText(error, path)}`);
    }
  }
}

async function stored(
  run: Run,
  path: string,
): Promise<{ readonly text: string } | { readonly error: string; readonly isMissing: boolean }> {
  try {
    return { text: decodeUtf8(await run.files.readFile(path)) };
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === 'ENOENT';
    return { error: fileErrorText(error, path), isMissing };
  }
}
