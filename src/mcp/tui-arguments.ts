import { quote } from '../tui/diagnostics/quote.ts';
import { isRawNumber, type RawJson } from '../tui/json/decode.ts';
import { expandInteger } from '../tui/json/integer.ts';
import type { ArgumentType, TuiTool } from './tui-tools.ts';

/** A tool call as a command line (U-220). */
export interface BuiltCall {
  readonly command: string;
  readonly words: readonly string[];
  readonly steps: readonly string[];
}

const WANTED: Record<ArgumentType, string> = {
  string: 'string',
  integer: 'integer',
  boolean: 'boolean',
  strings: 'array of strings',
};

/**
 * Check the arguments of a tool and build its command line.
 *
 * @param given in the order written
 * @returns the call, or the first thing wrong (U-221)
 */
export function buildCall(
  tool: TuiTool,
  given: ReadonlyMap<string, RawJson>,
): BuiltCall | { readonly refused: string } {
  for (const name of given.keys()) {
    if (!tool.arguments.some((known) => known.name === name)) {
      return { refused: `unknown argument ${quote(name)}` };
    }
  }
  if (tool.arguments.length > 0 && !given.has('file')) {
    return { refused: 'missing argument "file"' };
  }
  for (const [name, value] of given) {
    const { type } = tool.arguments.find((known) => known.name === name)!;
    if (!fits(value, type)) return { refused: `${name}: want ${WANTED[type]}` };
  }
  return { command: tool.command, words: wordsOf(tool, given), steps: stepsOf(given) };
}

function fits(value: RawJson, type: ArgumentType): boolean {
  if (type === 'string') return typeof value === 'string';
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'integer') return isRawNumber(value) && expandInteger(value.literal) !== null;
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function wordsOf(tool: TuiTool, given: ReadonlyMap<string, RawJson>): string[] {
  const words: string[] = [];
  for (const { name } of tool.arguments) {
    const value = given.get(name);
    if (name === 'file') words.push(value as string);
    else if (value === true) words.push(`--${name}`);
    else if (typeof value === 'string') words.push(`--${name}`, value);
    else if (isRawNumber(value)) words.push(`--${name}`, expandInteger(value.literal)!);
  }
  return [...words, ...tool.tail];
}

function stepsOf(given: ReadonlyMap<string, RawJson>): string[] {
  return (given.get('steps') ?? []) as string[];
}
