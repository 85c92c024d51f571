import { MAX_MESSAGE_BYTES } from '../src/protocol/link/frames.ts';
import { resolveStateRoot, statePaths } from '../src/protocol/link/state-paths.ts';
import { Ending } from './ending.ts';
import { answerFirstLine } from './first-answer.ts';
import { FlagError, parseFlags } from './flags.ts';
import { LateRelay } from './late-relay.ts';
import { type InputEvent, LineSplitter } from './line-splitter.ts';
import type { openRelay } from './open-relay.ts';
import { openOutput } from './output.ts';
import { readWaiting } from './read-waiting.ts';
import { tell } from './tell.ts';

declare const __LECTERN_VERSION__: string | undefined;
/** Loads another part of the proxy by its name; bin/lectern.js gives it to us. */
declare const loadPart: (name: string) => unknown;

const VERSION = typeof __LECTERN_VERSION__ === 'string' ? __LECTERN_VERSION__ : '0.0.0-dev';

/** Exit codes of library contract 12. */
const EXIT_USAGE = 2;
const EXIT_IO = 61;

/** The tui contract has its own (U-210, U-211). */
const EXIT_TUI = 1;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

function main(args: readonly string[]): void {
  const asked = parseFlags(args);
  const { surface } = asked;
  const paths = statePaths(resolveStateRoot());
  const isTui = surface === 'tui';
  const exitIo = isTui ? EXIT_TUI : EXIT_IO;
  const tellFault = ({ message }: Error) => tell(`${isTui ? 'tuimark' : 'lectern'}: ${message}`);

  const output = openOutput(
    () => relay.resumeOutput(),
    (error) => {
      tellFault(error);
      process.exit(exitIo);
    },
  );

  const relay: LateRelay = new LateRelay({
    answerFirstLine: (text) =>
      answerFirstLine(text, { surface, paths, env: process.env, version: VERSION }),
    write: (message) => output.write(message),
    open: () =>
      loadRelay().openRelay({
        asked,
        paths,
        version: VERSION,
        write: (message) => output.write(message),
        pauseInput: () => process.stdin.pause(),
        resumeInput: () => process.stdin.resume(),
        onSettled: () => ending.leaveWhenAnswered(),
      }),
  });

  const ending = new Ending(relay, output);
  const splitter = new LineSplitter(MAX_MESSAGE_BYTES);
  let isFirst = true;

  function receive(events: InputEvent[]): void {
    for (const event of events) {
      if (ending.isCutShort) return;
      if ('line' in event) {
        relay.receiveLine(isFirst && !isTui ? withoutBom(event.line) : event.line);
      } else if (isTui) {
        tell('tuimark: bufio.Scanner: token too long');
        process.stdin.pause();
        ending.begin(EXIT_TUI);
      } else relay.refuseLongLine(MAX_MESSAGE_BYTES);
      isFirst = false;
    }
  }

  process.stdin.on('data', (chunk: Buffer) => receive(splitter.push(chunk)));
  process.stdin.on('end', () => {
    receive(splitter.flush());
    ending.begin(0);
  });
  process.stdin.on('error', (error) => {
    tellFault(error);
    ending.begin(exitIo);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ending.interrupt());
  // A terminal that closes takes stdin with it; that is our sign to end.
  process.on('SIGHUP', () => {});
  // Claude Code never respawns a stdio server, so an exit here would cost the user all tools.
  process.on('uncaughtException', (error) => {
    tell(`lectern: a fault in the proxy: ${error.stack ?? error.message}`);
  });
  // The stream begins to read in the next tick, so this comes before what it will give.
  const waiting = readWaiting();
  if (waiting !== undefined) receive(splitter.push(waiting));
  relay.start();
}

/** The rest of the proxy. Without it nobody is served; a host then says what it read on stderr. */
function loadRelay(): { openRelay: typeof openRelay } {
  try {
    return loadPart('relay') as { openRelay: typeof openRelay };
  } catch (error) {
    tell(`lectern: its own files cannot be read: ${(error as Error).message}`);
    tell('next: npm install -g lectern');
    process.exit(EXIT_IO);
  }
}

function withoutBom(line: Buffer): Buffer {
  return line.subarray(0, 3).equals(BOM) ? line.subarray(3) : line;
}

try {
  main(process.argv.slice(3));
} catch (error) {
  const next = error instanceof FlagError ? '\nnext: lectern mcp --help' : '';
  tell(`error: ${(error as Error).message}${next}`);
  process.exitCode = EXIT_USAGE;
}
