import { VERSION } from '../../core/version.ts';
import { serveTuiLines } from '../../mcp/tui-stdio.ts';
import { quote } from '../diagnostics/quote.ts';
import { runHost } from '../run/host.ts';
import { runLive } from '../run/live.ts';
import { runPreview } from '../run/preview.ts';
import { parseFlags } from './flags.ts';
import { helpText } from './help.ts';
import { processIo, type TuiIo, writeAll } from './io.ts';
import { noWords } from './options.ts';
import { fail, settle, type ToolResult } from './result.ts';
import { isTool, runTool } from './tools.ts';

export { processIo, type TuiIo } from './io.ts';
export { runTool } from './tools.ts';

/** Commands that keep the terminal or a stream; they return their own exit code. */
const LIVE: ReadonlyMap<string, (words: readonly string[], io: TuiIo) => Promise<number>> = new Map(
  [
    ['preview', runPreview],
    ['run', runLive],
    ['host', runHost],
    ['mcp', runMcp],
  ],
);

/**
 * `lectern tui ARGV…` (section 13): run one command on the given streams and files.
 *
 * @param argv the words behind `tui`, raw
 * @returns the exit code (U-134)
 */
export async function runTuiCommand(
  argv: readonly string[],
  io: TuiIo = processIo(),
): Promise<number> {
  const [command, ...words] = argv;
  const live = LIVE.get(command ?? '');
  if (live !== undefined) return runLiveCommand(() => live(words, io), io);
  const { stdout, stderr, exitCode } = await runPlain(command, words, io);
  try {
    await writeAll(io.stdout, stdout);
    await writeAll(io.stderr, stderr);
  } catch {
    // Whoever read our output has gone; there is nobody left to tell.
    return 1;
  }
  return exitCode;
}

async function runPlain(
  command: string | undefined,
  words: readonly string[],
  io: TuiIo,
): Promise<ToolResult> {
  switch (command) {
    case undefined:
      return { stdout: '', stderr: helpText(), exitCode: 1 };
    case 'help':
    case '--help':
    case '-h':
      return { stdout: helpText(), stderr: '', exitCode: 0 };
    case 'version':
    case '--version':
    case '-v':
      return { stdout: `tuimark ${VERSION}\n`, stderr: '', exitCode: 0 };
  }
  if (isTool(command)) return runTool(command, words, io.files);
  const stderr = `tuimark: unknown command ${quote(command)}\n\n${helpText()}`;
  return { stdout: '', stderr, exitCode: 1 };
}

/** Failures before a live command takes over are reported like those of any other. */
async function runLiveCommand(live: () => Promise<number>, io: TuiIo): Promise<number> {
  let exitCode = 0;
  const failed = await settle(async () => {
    exitCode = await live();
    return { stdout: '', stderr: '', exitCode: 0 };
  });
  if (failed.exitCode === 0) return exitCode;
  await writeAll(io.stderr, failed.stderr).catch(() => undefined);
  return failed.exitCode;
}

/** `mcp` (U-209). */
async function runMcp(words: readonly string[], io: TuiIo): Promise<number> {
  noWords('mcp', parseFlags('mcp', words));
  const write = (line: string) => writeAll(io.stdout, line);
  try {
    await serveTuiLines(io.stdin, write, io.files);
    return 0;
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}
