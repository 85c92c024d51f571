import { quote } from '../diagnostics/quote.ts';
import { ToolFailure } from './result.ts';
import { COMMANDS, type CommandEntry, type FlagEntry } from './table.ts';

/** Flags as given: booleans, integers of 64 bits, strings. Absent ones are not in the maps. */
export interface ParsedFlags {
  readonly positionals: readonly string[];
  readonly strings: ReadonlyMap<string, string>;
  readonly integers: ReadonlyMap<string, bigint>;
  readonly booleans: ReadonlyMap<string, boolean>;
}

const TRUE_WORDS = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE_WORDS = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);
const MAX_INT = 9_223_372_036_854_775_807n;

/**
 * Read a command's words: flags and positionals in any mix, last one wins (U-136, U-137).
 *
 * @throws ToolFailure with one line and the usage block (U-138)
 */
export function parseFlags(command: string, words: readonly string[]): ParsedFlags {
  const entry = COMMANDS.find(({ name }) => name === command)!;
  const positionals: string[] = [];
  const strings = new Map<string, string>();
  const integers = new Map<string, bigint>();
  const booleans = new Map<string, boolean>();
  let at = 0;
  while (at < words.length) {
    const word = words[at++]!;
    if (word === '--') {
      // Ends this scan only: the next word is a positional whatever it looks like.
      if (at < words.length) positionals.push(words[at++]!);
      continue;
    }
    if (word.length < 2 || !word.startsWith('-')) {
      positionals.push(word);
      continue;
    }
    const { name, inline } = splitFlag(entry, word);
    const flag = entry.flags.find((known) => known.name === name);
    if (flag === undefined) refuseUnknown(entry, name);
    if (flag.type === 'bool') {
      booleans.set(name, readBoolean(entry, flag, inline));
      continue;
    }
    const value = inline ?? words[at++];
    if (value === undefined) throw flagError(entry, `flag needs an argument: -${name}`);
    if (flag.type === 'int') integers.set(name, readInteger(entry, flag, value));
    else strings.set(name, value);
  }
  return { positionals, strings, integers, booleans };
}

function splitFlag(entry: CommandEntry, word: string): { name: string; inline: string | null } {
  const body = word.slice(word.startsWith('--') ? 2 : 1);
  if (body === '' || body.startsWith('-') || body.startsWith('=')) {
    throw flagError(entry, `bad flag syntax: ${word}`);
  }
  const equals = body.indexOf('=');
  if (equals < 0) return { name: body, inline: null };
  return { name: body.slice(0, equals), inline: body.slice(equals + 1) };
}

function refuseUnknown(entry: CommandEntry, name: string): never {
  // A cry for help prints the block alone, as an error, so that MCP shows it as one too (U-138).
  if (name === 'h' || name === 'help') throw new ToolFailure(usageBlock(entry));
  throw flagError(entry, `flag provided but not defined: -${name}`);
}

function readBoolean(entry: CommandEntry, flag: FlagEntry, inline: string | null): boolean {
  if (inline === null || TRUE_WORDS.has(inline)) return true;
  if (FALSE_WORDS.has(inline)) return false;
  throw flagError(entry, `invalid boolean value ${quote(inline)} for -${flag.name}: parse error`);
}

/** Decimal digits with an optional sign, 64 bits; other Go literals are not taken (U-229). */
function readInteger(entry: CommandEntry, flag: FlagEntry, value: string): bigint {
  const head = `invalid value ${quote(value)} for flag -${flag.name}`;
  if (!/^[+-]?[0-9]+$/.test(value)) throw flagError(entry, `${head}: parse error`);
  const digits = value.replace(/^[+-]?0*/, '');
  const size = digits.length > 19 ? MAX_INT + 2n : BigInt(`0${digits}`);
  const isNegative = value.startsWith('-');
  if (size > (isNegative ? MAX_INT + 1n : MAX_INT)) {
    throw flagError(entry, `${head}: value out of range`);
  }
  return isNegative ? -size : size;
}

function flagError(entry: CommandEntry, line: string): ToolFailure {
  return new ToolFailure(`${line}\n${usageBlock(entry)}`);
}

/** The usage block of a command (U-139). */
export function usageBlock(entry: CommandEntry): string {
  const lines = [`Usage of ${entry.name}:`];
  const sorted = [...entry.flags].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const flag of sorted) {
    lines.push(`  -${flag.name}${flag.type === 'bool' ? '' : ` ${flag.type}`}`);
    lines.push(`    \t${flag.about}${defaultText(flag)}`);
  }
  return `${lines.join('\n')}\n`;
}

function defaultText({ type, byDefault }: FlagEntry): string {
  if (byDefault === undefined) return '';
  return ` (default ${type === 'string' ? quote(byDefault) : byDefault})`;
}
