import { LecternError } from '../core/errors.ts';
import type { BoundArguments } from './substitute.ts';

/** How an entry takes arguments. */
export interface ArgumentRules {
  /** Declared names, in order. */
  declared: readonly string[];
  /** True for plugins in Claude's own format: its numbering and its splitting hold (design 8). */
  native: boolean;
  /** The body, which decides whether a native command counts from zero. */
  body: string;
}

/**
 * Bind what a caller supplied to an entry's arguments (library contract 7.5).
 *
 * @param supplied one string, or an object of argument values; absent and `{}` are none
 * @returns null when nothing was supplied
 * @throws LecternError prompt_argument_mismatch (26) with `expected` and `supplied`
 */
export function bindArguments(
  supplied: string | Readonly<Record<string, unknown>> | undefined,
  rules: ArgumentRules,
): BoundArguments | null {
  if (supplied === undefined) return null;
  const numbering = {
    firstNumber: rules.native && !countsFromZero(rules.body) ? 1 : 0,
    keepsUnknownNames: rules.native,
  } as const;
  if (typeof supplied === 'string') return bindText(supplied, rules, numbering);
  const given = Object.keys(supplied);
  if (given.length === 0) return null;
  if (rules.declared.length === 0) {
    if (given.length !== 1 || given[0] !== 'args') throw mismatch(rules, given);
    return bindText(toText(supplied['args']), rules, numbering);
  }
  if (given.some((name) => !rules.declared.includes(name))) {
    // A lone `args` is what hosts send that know only the catch-all; it is split like a typed line.
    if (given.length === 1 && given[0] === 'args' && rules.native) {
      return bindText(toText(supplied['args']), rules, numbering);
    }
    throw mismatch(rules, given);
  }
  const positional = rules.declared.map((name) =>
    Object.hasOwn(supplied, name) ? toText(supplied[name]) : '',
  );
  return {
    positional,
    named: new Map(rules.declared.map((name, at) => [name, positional[at]!])),
    whole: positional.join(' '),
    appendix: positional.join(' '),
    ...numbering,
  };
}

/**
 * Split a typed line as a shell would: white space separates, `'…'` and `"…"`
 * group, nothing escapes, an unterminated quote runs to the end.
 */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const character of line) {
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Claude counts from one, unless the body itself counts from zero (design 8). */
export function countsFromZero(body: string): boolean {
  return /\$0(?!\d)|\$ARGUMENTS\[\d+\]/.test(body);
}

function bindText(
  text: string,
  rules: ArgumentRules,
  numbering: Pick<BoundArguments, 'firstNumber' | 'keepsUnknownNames'>,
): BoundArguments {
  if (rules.declared.length === 0) {
    return {
      positional: rules.native ? splitLine(text) : [text],
      named: new Map(),
      whole: text,
      appendix: text,
      ...numbering,
    };
  }
  const words = splitLine(text);
  return {
    positional: words,
    named: new Map(rules.declared.map((name, at) => [name, words[at] ?? ''])),
    whole: rules.native ? text : words.join(' '),
    appendix: text,
    ...numbering,
  };
}

function mismatch(rules: ArgumentRules, given: readonly string[]): LecternError {
  const takes = rules.declared.length === 0 ? '`args`' : rules.declared.join(', ');
  return new LecternError(
    'prompt_argument_mismatch',
    `the arguments ${given.join(', ')} do not fit: this prompt takes ${takes}`,
    { extras: { expected: rules.declared.length, supplied: given.length } },
  );
}

/** Null is empty; other values are their text, arrays and objects compact JSON. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
