import { currentDirectory } from '../src/protocol/link/current-directory.ts';
import { pickSessionEnvironment } from '../src/protocol/link/environment.ts';
import { MAX_MESSAGE_BYTES } from '../src/protocol/link/frames.ts';
import { reachDaemon } from '../src/protocol/link/reach-daemon.ts';
import { resolveStateRoot, statePaths } from '../src/protocol/link/state-paths.ts';
import { loadSnapshot } from './answers.ts';
import { FlagError, parseFlags } from './flags.ts';
import { LineSplitter } from './line-splitter.ts';
import { openOutput } from './output.ts';
import { Relay } from './relay.ts';

declare const __LECTERN_VERSION__: string | undefined;

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
  const { surface, workspace, harness, flags } = parseFlags(args);
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

  const relay: Relay = new Relay({
    surface,
    reach: (events, onAbsent, signal) =>
      reachDaemon({
        paths,
        env: process.env,
        introduction: {
          version: VERSION,
          role: 'mcp',
          surface,
          workspace,
          harness,
          flags,
          cwd: currentDirectory(),
          // Picked for the hello, behind the first answer.
          get env() {
            return pickSessionEnvironment(process.env);
          },
          pid: process.pid,
        },
        events,
        autostart: true,
        signal,
        onAbsent,
      }),
    loadSnapshot: () => loadSnapshot(surface),
    write: (message) => output.write(message),
    pauseInput: () => process.stdin.pause(),
    resumeInput: () => process.stdin.resume(),
    onSettled: () => leaveWhenAnswered(),
    onStarted: staySmall,
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

/**
 * A relay spends its time in native code. What the optimising compiler, helper
 * threads of the collector and a growing nursery would gain it costs memory, up
 * to 7 MB in each of a machine's many proxies.
 */
function staySmall(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of ['--no-opt', '--no-parallel-scavenge', '--semi-space-growth-factor=1']) {
    setFlagsFromString(flag);
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
