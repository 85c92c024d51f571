import { isOn } from '../protocol/link/is-on.ts';

/** What the terminal in front of the command can show. Pure: read once, passed down. */
export interface Terminal {
  /** Colours may be written to standard output. */
  colour: boolean;
  /** Progress may be drawn on standard error. */
  progress: boolean;
  /** Questions may be asked. */
  interactive: boolean;
  /** Columns of standard output; text is folded and cut to it. */
  width: number;
}

export interface TerminalFacts {
  env: Readonly<Record<string, string | undefined>>;
  stdinIsTty: boolean;
  stdoutIsTty: boolean;
  stderrIsTty: boolean;
  columns: number | undefined;
  /** `--no-color` */
  noColour: boolean;
  /** `--json` */
  json: boolean;
  /** `--non-interactive` */
  nonInteractive: boolean;
}

/**
 * Columns assumed when nobody says: what a pipe, a log file or a CI page shows
 * without wrapping. Descriptions are what is cut, never names.
 */
const WIDTH_WITHOUT_TERMINAL = 100;
/** Narrower than this, cutting helps nobody: the terminal wraps instead. */
const NARROWEST = 40;

/**
 * Decide what may be shown. `NO_COLOR` counts when present and not empty
 * (no-color.org), `LECTERN_NO_COLOR` by the truth rule of library contract 13.
 */
export function describeTerminal(facts: TerminalFacts): Terminal {
  const { env } = facts;
  const noColourWanted =
    facts.noColour ||
    (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') ||
    isOn(env['LECTERN_NO_COLOR']) ||
    env['TERM'] === 'dumb';
  return {
    colour: facts.stdoutIsTty && !facts.json && !noColourWanted,
    progress: facts.stderrIsTty && !facts.json && env['TERM'] !== 'dumb',
    interactive: facts.stdinIsTty && facts.stderrIsTty && !facts.nonInteractive && !facts.json,
    width: Math.max(NARROWEST, facts.columns ?? WIDTH_WITHOUT_TERMINAL),
  };
}
