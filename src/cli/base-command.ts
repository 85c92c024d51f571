import { Command } from '@oclif/core/command';
import * as Flags from '@oclif/core/flags';
import { type ErrorCategory, errorTable, LecternError } from '../core/errors.ts';
import { scrub } from '../core/scrub.ts';
import type { AdminMethod, ParamsOf, ResultOf } from '../protocol/admin/method.ts';
import type { FailureShape } from '../protocol/admin/shapes.ts';
import { isOn } from '../protocol/link/is-on.ts';
import { describeArgument } from './describe-argument.ts';
import { flagMeant } from './did-you-mean.ts';
import { type Paint, paintFor } from './paint.ts';
import type { Look } from './print/look.ts';
import { openProgress, type ProgressLine } from './progress.ts';
import { describeTerminal, type Terminal } from './terminal.ts';
import { screenSafe, screenSafePainted, toJsonLine } from './text.ts';

interface GlobalFlags {
  json: boolean;
  'no-color': boolean;
  verbose: boolean;
  'non-interactive': boolean;
  workspace: string | undefined;
}

/** A category by the name that the daemon sent; a newer daemon may know more. */
export function toCategory(name: string): ErrorCategory {
  return Object.hasOwn(errorTable, name) ? (name as ErrorCategory) : 'internal';
}

/** What a command has to show: the machine form, the human form, the next step. */
export interface Showing {
  /** Printed one object a line with --json. A list prints one line per element. */
  json: object | readonly object[];
  /** Printed without --json; an empty text prints nothing. */
  text: string;
  /** The text goes out byte for byte: a file's own content, into a pipe. */
  isVerbatim?: boolean;
  /** The `next:` line of human mode, on standard error so that pipes stay clean. */
  next?: string;
}

/**
 * What every command shares: the global flags, the terminal, the connection to
 * the daemon, and how results are shown. Errors are thrown; `main` prints them.
 */
export abstract class LecternCommand extends Command {
  static override baseFlags = {
    json: Flags.boolean({
      description: 'Print the result as JSON, one object a line.',
      helpGroup: 'GLOBAL',
    }),
    'no-color': Flags.boolean({ description: 'Print without colours.', helpGroup: 'GLOBAL' }),
    verbose: Flags.boolean({
      char: 'v',
      description: 'Say more; show where an error came from.',
      helpGroup: 'GLOBAL',
    }),
    'non-interactive': Flags.boolean({
      description: 'Never ask: go ahead without the confirmation.',
      helpGroup: 'GLOBAL',
    }),
    workspace: Flags.string({
      char: 'w',
      description: 'Workspace to act in.',
      helpValue: 'NAME',
      helpGroup: 'GLOBAL',
    }),
  };

  protected globals: GlobalFlags = {
    json: false,
    'no-color': false,
    verbose: false,
    'non-interactive': false,
    workspace: undefined,
  };
  protected terminal: Terminal = this.#describe();
  protected paint: Paint = paintFor(false);

  /** Take the global flags from what was parsed; every command passes its parse through here. */
  protected withGlobals<P extends { flags: object; args?: Record<string, unknown> }>(parsed: P): P {
    const flags = parsed.flags as Partial<GlobalFlags>;
    const { env } = process;
    this.globals = {
      json: flags.json === true || isOn(env['LECTERN_JSON']),
      'no-color': flags['no-color'] === true,
      verbose: flags.verbose === true,
      'non-interactive': flags['non-interactive'] === true || isOn(env['LECTERN_NONINTERACTIVE']),
      workspace: flags.workspace,
    };
    this.terminal = this.#describe();
    this.paint = paintFor(this.terminal.colour);
    this.#refuseEmptyArguments(parsed);
    return parsed;
  }

  /**
   * `catalog add "$DIR"` with DIR unset means no directory, least of all this one.
   * Commands that take any number of words look at them themselves.
   */
  #refuseEmptyArguments(parsed: { args?: Record<string, unknown> }): void {
    if (this.ctor.strict === false) return;
    for (const [name, argument] of Object.entries(this.ctor.args)) {
      if (parsed.args?.[name] !== '') continue;
      throw new LecternError('usage', `empty: ${describeArgument({ ...argument, name })}`, {
        next: `lectern ${this.ctor.id.replaceAll(':', ' ')} --help`,
      });
    }
  }

  /** Errors travel to `main`, which prints them once, in the right form. */
  protected override async catch(error: unknown): Promise<never> {
    const unknown = (error as { flags?: unknown }).flags;
    if ((error as Error).constructor.name !== 'NonExistentFlagsError' || !Array.isArray(unknown)) {
      throw error;
    }
    const known = Object.keys({ ...this.ctor.baseFlags, ...this.ctor.flags });
    const [typed] = unknown as string[];
    const meant = flagMeant(typed!, known);
    if (meant === undefined) throw error;
    throw new LecternError('usage', `there is no flag ${typed}; did you mean ${meant}?`, {
      next: `lectern ${this.ctor.id.replaceAll(':', ' ')} --help`,
      cause: error,
    });
  }

  /** Print a result: its JSON lines with --json, else its text and the next step. */
  protected show(showing: Showing): void {
    if (this.globals.json) {
      const records = Array.isArray(showing.json) ? showing.json : [showing.json];
      for (const record of records) process.stdout.write(`${toJsonLine(record)}\n`);
      return;
    }
    if (showing.text !== '') {
      const isVerbatim = showing.isVerbatim === true;
      const text = isVerbatim ? showing.text : screenSafePainted(showing.text);
      // A file's own text gets a line end only where the prompt would stand behind it.
      const isEnded = isVerbatim && (process.stdout.isTTY !== true || text.endsWith('\n'));
      process.stdout.write(isEnded ? text : `${text}\n`);
    }
    if (showing.next !== undefined) this.hint(showing.next);
  }

  /** The `next:` line: what a person would probably do now. Nothing with --json. */
  protected hint(next: string): void {
    if (this.globals.json) return;
    process.stderr.write(`${paintFor(this.#coloursErrors()).quiet('next:')} ${screenSafe(next)}\n`);
  }

  /** A remark that is no part of the result; standard error, human mode only. */
  protected note(text: string): void {
    if (!this.globals.json) process.stderr.write(`${screenSafe(text)}\n`);
  }

  /** A progress line on standard error, drawn only in a terminal and only for slow work. */
  protected progress(): ProgressLine {
    return openProgress(this.terminal.progress, process.stderr.columns ?? 80, (text) =>
      process.stderr.write(text),
    );
  }

  /**
   * Ask the daemon one thing, starting it when it is not running. The method is
   * named by its literal, so that no command loads the schemas (and zod) that
   * the daemon checks with: `this.ask<typeof listCatalogs>('catalog.list', {})`.
   *
   * @throws LecternError whatever the daemon answers, or why it could not be asked
   */
  protected async ask<M extends AdminMethod>(
    method: M['method'],
    params: ParamsOf<M>,
    { autostart = true }: { autostart?: boolean } = {},
  ): Promise<ResultOf<M>> {
    const { askDaemon } = await import('./ask-daemon.ts');
    const line = this.progress();
    try {
      return (await askDaemon(method, params, {
        workspace: this.workspace,
        autostart,
        onProgress: (step) => line.update(step),
        onSilent: (what) => {
          line.done();
          this.note(what);
        },
      })) as ResultOf<M>;
    } finally {
      line.done();
    }
  }

  /** `--workspace`, as admin methods take it; the daemon resolves the rest (library contract 4.1). */
  protected get workspace(): string | null {
    return this.globals.workspace ?? null;
  }

  protected get look(): Look {
    const { width } = this.terminal;
    return {
      paint: this.paint,
      width,
      tableWidth: process.stdout.isTTY === true ? width : Infinity,
      nowMs: Date.now(),
    };
  }

  /** Show what a batch came to, then fail with its first failure (library contract 3.5). */
  protected failFirst(failures: readonly FailureShape[]): void {
    const [first, ...others] = failures;
    if (first === undefined) return;
    for (const other of others) this.note(`error: ${other.subject}: ${scrub(other.message)}`);
    throw new LecternError(toCategory(first.category), first.message, { next: first.next });
  }

  /**
   * Ask for a yes. `--non-interactive` answers yes (library contract 3.3, 3.7).
   *
   * @param refusal thrown where there is no terminal to ask on
   * @throws LecternError interrupted when the answer is no
   */
  protected async confirm(question: string, refusal: LecternError): Promise<void> {
    if (this.globals['non-interactive']) return;
    if (!this.terminal.interactive) throw refusal;
    const { askYesNo } = await import('./ask-yes-no.ts');
    if (!(await askYesNo(question))) throw new LecternError('interrupted', 'nothing was changed');
  }

  #coloursErrors(): boolean {
    return this.terminal.colour && process.stderr.isTTY === true;
  }

  #describe(): Terminal {
    return describeTerminal({
      env: process.env,
      stdinIsTty: process.stdin.isTTY === true,
      stdoutIsTty: process.stdout.isTTY === true,
      stderrIsTty: process.stderr.isTTY === true,
      columns: process.stdout.columns,
      noColour: this.globals['no-color'],
      json: this.globals.json,
      nonInteractive: this.globals['non-interactive'],
    });
  }
}
