import { LecternError, toLecternError } from '../core/errors.ts';
import { VERSION } from '../core/version.ts';
import { isOn } from '../protocol/link/is-on.ts';
import { askForHome, StateRootError } from '../protocol/link/state-paths.ts';
import { describeArgument } from './describe-argument.ts';
import { didYouMean } from './did-you-mean.ts';
import { watchOutput } from './lost-output.ts';
import { paintFor } from './paint.ts';
import { plainUsage } from './plain-usage.ts';
import { formatError, formatErrorJson } from './render-error.ts';

/** True when `flag` stands before `--`. */
function hasFlag(argv: readonly string[], ...flags: string[]): boolean {
  const end = argv.indexOf('--');
  return argv.some((word, at) => flags.includes(word) && (end === -1 || at < end));
}

/** `lectern help catalog add` is `lectern catalog add --help`. */
function withoutHelpCommand(argv: readonly string[]): string[] {
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
}

/** The command that was typed, as far as words go: flags end it. */
function typedWords(argv: readonly string[]): string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return end === -1 ? [...argv] : argv.slice(0, end);
}

/** Usage error for words that name no command, with the one that was probably meant. */
export function unknownCommand(typed: readonly string[], known: readonly string[]): LecternError {
  const candidates = [typed.slice(0, 2).join(' '), typed[0] ?? ''].filter((each) => each !== '');
  const topics = [...new Set(known.map((id) => id.split(' ')[0]!))];
  for (const candidate of candidates) {
    const meant = didYouMean(candidate, [...known, ...topics]);
    if (meant !== undefined && meant !== candidate) {
      return new LecternError(
        'usage',
        `there is no command "${candidate}"; did you mean "${meant}"?`,
        {
          next: `lectern ${meant} --help`,
        },
      );
    }
  }
  return new LecternError('usage', `there is no command "${typed.slice(0, 2).join(' ')}"`, {
    next: 'lectern help',
  });
}

/** A wrong use of one command is mended with that command's help, not with the list of all. */
export function withHelpOf(failure: LecternError, commandId: string): LecternError {
  const isPlain = failure.category === 'usage' && failure.details.next === undefined;
  if (!isPlain || commandId === '') return failure;
  return new LecternError('usage', failure.message, {
    ...failure.details,
    next: `lectern ${commandId} --help`,
  });
}

/** What oclif and the parts below it throw, as one of lectern's errors. */
export function explainFailure(caught: unknown, commandId: string): LecternError {
  if (caught instanceof LecternError) return caught;
  if (caught instanceof StateRootError)
    return new LecternError('usage', caught.message, {
      next: 'set LECTERN_HOME or HOME to an absolute directory of yours',
    });
  const isParseError =
    caught instanceof Error &&
    ('parse' in caught || (caught as { oclif?: object }).oclif !== undefined);
  if (isParseError) {
    const lacking = (caught as { args?: { name: string; description?: string }[] }).args;
    if (caught.constructor.name === 'RequiredArgsError' && lacking !== undefined) {
      const names = lacking.map(describeArgument).join(' and ');
      return new LecternError('usage', `missing: ${names}`, {
        next: `lectern ${commandId} --help`,
        cause: caught,
      });
    }
    const message = caught.message.replace(/\n?See more help with --help$/, '').trim();
    return new LecternError('usage', plainUsage(message, commandId), {
      next: `lectern ${commandId === '' ? '' : `${commandId} `}--help`,
      cause: caught,
    });
  }
  return toLecternError(caught);
}

/**
 * Run one command line and set the process's exit code (library contract 12).
 *
 * @param root the installed package, where oclif.manifest.json lies
 */
export async function main(argv: readonly string[], root: string): Promise<void> {
  watchOutput((error) => {
    report(error, argv);
    process.exit(error.exitCode);
  });
  // Asked by scripts and installers in a loop: answered before oclif is loaded.
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === 'version')) {
    process.stdout.write(
      `lectern ${VERSION} ${process.platform}-${process.arch} node-${process.version}\n`,
    );
    return;
  }
  const words = withoutHelpCommand(argv);
  // Ctrl-C is an answer, not a crash: exit 8 as library contract 12 says.
  process.once('SIGINT', () => {
    report(new LecternError('interrupted', 'interrupted'), words);
    process.exit(8);
  });
  let commandId = '';
  try {
    // oclif asks the password database for both where they are not set, which knows nobody in
    // containers that run under any uid. Of a shell nothing is wanted here.
    process.env['SHELL'] ??= '/bin/sh';
    if (process.env['HOME'] === undefined) askForHome();
    const { Config, run } = await import('./oclif.ts');
    const config = await Config.load({ root, userPlugins: false, devPlugins: false });
    const known = config.commandIDs.map((id) => id.replaceAll(':', ' '));
    const typed = typedWords(words);
    commandId = known.includes(typed.slice(0, 2).join(' '))
      ? typed.slice(0, 2).join(' ')
      : (typed[0] ?? '');
    const isTopic = known.some((id) => id.startsWith(`${typed[0]} `));
    const isKnown =
      typed.length === 0 || known.includes(commandId) || (isTopic && typed.length === 1);
    if (!isKnown) throw unknownCommand(typed, known);
    await run(words, config.options);
  } catch (caught) {
    if (isExit(caught)) {
      process.exitCode = caught.oclif.exit;
      return;
    }
    const failure = withHelpOf(explainFailure(caught, commandId), commandId);
    report(failure, words);
    process.exitCode = failure.exitCode;
  }
}

/** oclif ends `--help` and `--version` by throwing. */
function isExit(caught: unknown): caught is Error & { oclif: { exit: number } } {
  return caught instanceof Error && (caught as { code?: string }).code === 'EEXIT';
}

function report(error: LecternError, argv: readonly string[]): void {
  const { env } = process;
  if (hasFlag(argv, '--json') || isOn(env['LECTERN_JSON'])) {
    process.stderr.write(`${formatErrorJson(error)}\n`);
    return;
  }
  const noColour =
    hasFlag(argv, '--no-color') || (env['NO_COLOR'] ?? '') !== '' || isOn(env['LECTERN_NO_COLOR']);
  const paint = paintFor(process.stderr.isTTY === true && !noColour && env['TERM'] !== 'dumb');
  const verbose = hasFlag(argv, '--verbose', '-v');
  process.stderr.write(`${formatError(error, paint, verbose)}\n`);
}
