import type { ParsedFlags } from '../commands/flags.ts';
import { fail } from '../commands/result.ts';
import { quote } from '../diagnostics/quote.ts';
import { type ColorDepth, detectDepth, isDepth } from './ansi.ts';

/** `--color`, else what the environment says; off a terminal nothing is painted (U-175). */
export function chosenDepth(
  flags: ParsedFlags,
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): ColorDepth {
  const asked = flags.strings.get('color');
  if (asked === undefined) return isTerminal ? detectDepth(env) : 'none';
  if (isDepth(asked)) return asked;
  fail(`--color must be truecolor, 256, 16, or none (got ${quote(asked)})`);
}
