import { MAX_MESSAGE_BYTES } from '../src/protocol/link/frames.ts';
import { resolveStateRoot, statePaths } from '../src/protocol/link/state-paths.ts';
import { answerFirstLine } from './first-answer.ts';
import { FlagError, parseFlags } from './flags.ts';
import { LateRelay } from './late-relay.ts';
import { LineSplitter } from './line-splitter.ts';
import type { openRelay } from './open-relay.ts';
import { openOutput } from './output.ts';

declare const __LECTERN_VERSION__: string | undefined;
/** Loads another part of the proxy by its name; bin/lectern.js gives it to us. */
declare const loadPart: (name: string) => unknown;

const VERSION = typeof __LECTERN_VERSION__ === 'string' ? __LECTERN_VERSION__ : '0.0.0-dev';

/** Library contract 9.3: how long what was received may still take when we are told to end. */
const END_MS = 5000;

/** Exit codes of library contract 12. */
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 8;
const EXIT_IO = 61;

/** The tui contract has its own (U-210, U-211). */
const EXIT_TUI = 1;

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

function main(args: readonly string[]): void {
  const asked = parseFlags(args);
  const { surface } = asked;
  const paths = statePaths(resolveStateRoot());
  const isTui = surface === 'tui';
  let exitCode: number | undefined;

  const output = openOutput(
    () => relay.resumeOutput(),
    (error) => {
      const brand = isTui ? 'tuimark' : 'lectern';
      process.stderr.write(`${brand}: ${error.message}\n`);
      process.exit(isTui ? EXIT_TUI : EXIT_IO);
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
        onSettled: () => leaveWhenAnswered(),
      }),
  });

  /** Answer what was received, for at most five seconds, then exit. */
  function end(code: number): void {
    if (exitCode !== undefined) return;
    exitCode = code;
    setTimeout(leave, END_MS);
    // After the lines that came with the end of input were handed over.
    setImmediate(leaveWhenAnswered);
  }

  function leaveWhenAnswered(): void {
    if (exitCode !== undefined && relay.unanswered === 0) leave();
  }

  let isLeaving = false;
  function leave(): void {
    if (isLeaving) return;
    isLeaving = true;
    relay.close('the server is ending');
    // The spawn ticket, if we hold it, is released in the turn after the abort.
    setImmediate(() => output.flush(() => process.exit(exitCode)));
  }

  const splitter = new LineSplitter(MAX_MESSAGE_BYTES);
  let isFirst = true;

  function receive(events: ReturnType<LineSplitter['push']>): void {
    for (const event of events) {
      if (exitCode !== undefined && exitCode !== 0) return;
      if ('tooLong' in event) refuseLongLine();
      else relay.receiveLine(isFirst && !isTui ? withoutBom(event.line) : event.line);
      isFirst = false;
    }
  }

  function refuseLongLine(): void {
    if (!isTui) {
      relay.refuseLongLine(MAX_MESSAGE_BYTES);
      return;
    }
    process.stderr.write('tuimark: bufio.Scanner: token too long\n');
    process.stdin.pause();
    end(EXIT_TUI);
  }

  process.stdin.on('data', (chunk: Buffer) => receive(splitter.push(chunk)));
  process.stdin.on('end', () => {
    receive(splitter.flush());
    end(0);
  });
  process.stdin.on('error', () => end(isTui ? EXIT_TUI : EXIT_IO));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () =>
      exitCode === undefined ? end(EXIT_INTERRUPTED) : process.exit(exitCode),
    );
  }
  // A terminal that closes takes stdin with it; that is our sign to end.
  process.on('SIGHUP', () => {});
  // Claude Code never respawns a stdio server, so an exit here would cost the user all tools.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`lectern: a fault in the proxy: ${error.stack ?? error.message}\n`);
  });
  relay.start();
}

/** The rest of the proxy. Without it nobody is served; a host then says what it read on stderr. */
function loadRelay(): { openRelay: typeof openRelay } {
  try {
    return loadPart('relay') as { openRelay: typeof openRelay };
  } catch (error) {
    process.stderr.write(`lectern: its own files cannot be read: ${(error as Error).message}\n`);
    process.stderr.write('next: npm install -g lectern\n');
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
  process.stderr.write(`error: ${(error as Error).message}${next}\n`);
  process.exitCode = EXIT_USAGE;
}
