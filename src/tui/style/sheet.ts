import { quote } from '../diagnostics/quote.ts';
import type { Diagnostic } from '../diagnostics/types.ts';
import { type Characters, type Place, readCharacters, type SheetSource } from './characters.ts';
import { badColor, isTokenName, parseLiteralColor } from './color.ts';
import { parseDeclaration } from './declaration.ts';
import { parseMedia } from './media.ts';
import { parseSelector } from './selector.ts';
import type { Declaration, Media, Rule, Selector, Sheet, TokenDefinition } from './types.ts';

/** Selectors, declarations and problems of one sheet, some 400 bytes each: a made-up one of megabytes holds millions. */
const MAX_PARTS = 250_000;

/** What a block holds, before it becomes a rule. */
interface Block {
  readonly declarations: Declaration[];
  readonly tokens: TokenDefinition[];
}

interface Reader extends Characters {
  readonly file: string;
  readonly version: 1 | 2 | 3;
  readonly problems: Diagnostic[];
  at: number;
  parts: number;
}

/** Where rules of the current nesting go and what condition they carry. */
interface Context {
  readonly rules: Rule[];
  readonly media: Media | null;
  /** Inside the block of an at-rule: a `}` ends it. */
  readonly isNested: boolean;
}

/**
 * Parses a stylesheet (G-007…G-013, U-103…U-109). Never fails: each problem is one `V003`, and
 * reading goes on as U-105 says.
 *
 * @param options.file    base name for diagnostics and `inspect`
 * @param options.version of the document that loads it
 */
export function parseSheet(options: SheetSource & { file: string; version: 1 | 2 | 3 }): {
  sheet: Sheet;
  diagnostics: Diagnostic[];
} {
  const { file, version } = options;
  const reader: Reader = {
    ...readCharacters(options),
    file,
    version,
    problems: [],
    at: 0,
    parts: 0,
  };
  const rules: Rule[] = [];
  try {
    readRules(reader, rules);
  } catch (error) {
    if (!(error instanceof TooManyParts)) throw error;
    const msg = `sheet has more than ${MAX_PARTS} rules and declarations; the rest is not read`;
    report(reader, placeAt(reader, reader.at), msg);
  }
  if (reader.unclosedComment) report(reader, reader.unclosedComment, 'unterminated comment');
  return { sheet: { file, rules }, diagnostics: reader.problems };
}

class TooManyParts extends Error {}

/** Called for each at-rule, selector, declaration and stray brace. */
function countParts(reader: Reader, count = 1): void {
  reader.parts += count;
  if (reader.parts > MAX_PARTS) throw new TooManyParts();
}

function report(reader: Reader, place: Place, msg: string): void {
  const { line, col } = place;
  const { file } = reader;
  reader.problems.push({ severity: 'error', code: 'V003', msg, file, line, col, path: '', id: '' });
}

function placeAt(reader: Reader, at: number): Place {
  return reader.placeAt(at);
}

const SPACES = /\s*/uy;
const DECLARED = /[^{};]*/y;

function skipSpace(reader: Reader): void {
  SPACES.lastIndex = reader.at;
  reader.at += SPACES.exec(reader.text)![0].length;
}

/** Moves to the next brace or semicolon (or the end) and returns what lay before it, trimmed. */
function readUpTo(reader: Reader): string {
  DECLARED.lastIndex = reader.at;
  const passed = DECLARED.exec(reader.text)![0];
  reader.at += passed.length;
  return passed.trim();
}

/** Iterative: blocks may be nested as deep as the text is long, and the call stack is not. */
function readRules(reader: Reader, rules: Rule[]): void {
  const around: Context[] = [];
  let context: Context = { rules, media: null, isNested: false };
  for (;;) {
    skipSpace(reader);
    const char = reader.text[reader.at];
    if (char === undefined) {
      for (const _ of around) {
        report(reader, placeAt(reader, reader.at), 'unterminated @media block');
      }
      return;
    }
    if (char === '}') {
      countParts(reader);
      reader.at++;
      if (around.length === 0) report(reader, placeAt(reader, reader.at - 1), "unexpected '}'");
      else context = around.pop()!;
    } else if (char === '@') {
      const inner = readAtRule(reader, context);
      if (inner === null) continue;
      around.push(context);
      context = inner;
    } else {
      readRule(reader, context);
    }
  }
}

/** Reads an at-rule up to its block; returns what is inside the block, null when there is none. */
function readAtRule(reader: Reader, context: Context): Context | null {
  countParts(reader);
  const place = placeAt(reader, reader.at);
  const prelude = readUpTo(reader);
  if (reader.text[reader.at] !== '{') {
    report(reader, place, `unsupported at-rule ${quote(prelude)}`);
    if (reader.text[reader.at] === ';') reader.at++;
    return null;
  }
  reader.at++;
  const word = /^@[^\s(]*/u.exec(prelude)![0];
  const dropped: Context = { rules: [], media: null, isNested: true };
  if (word !== '@media') {
    report(reader, place, `unsupported at-rule ${word} (only @media)`);
    return dropped;
  }
  if (context.isNested) {
    report(reader, place, 'nested @media is not supported');
    return dropped;
  }
  const parsed = parseMedia(prelude.slice(word.length).trim(), reader.version);
  if ('error' in parsed) {
    report(reader, place, parsed.error);
    return dropped;
  }
  return { rules: context.rules, media: parsed.media, isNested: true };
}

function readRule(reader: Reader, context: Context): void {
  const place = placeAt(reader, reader.at);
  const text = readUpTo(reader);
  if (reader.text[reader.at] !== '{') {
    countParts(reader);
    report(reader, place, `expected '{' after selector ${quote(text)}`);
    // A `}` may close the @media block around it, so only a `;` is skipped inside one.
    const stop = reader.text[reader.at];
    if (stop === ';' || (stop !== undefined && !context.isNested)) reader.at++;
    return;
  }
  reader.at++;
  const parts = text.split(',').map((part) => part.trim());
  countParts(reader, parts.length);
  const isRoot = parts.includes(':root');
  if (isRoot && parts.length > 1) {
    report(reader, place, ':root must be the only selector in its rule');
    skipBlock(reader);
    return;
  }
  const selectors: Selector[] = [];
  for (const part of isRoot ? [] : parts) {
    const parsed = parseSelector(part, reader.version);
    if ('error' in parsed) {
      report(reader, place, parsed.error);
      skipBlock(reader);
      return;
    }
    selectors.push(parsed.selector);
  }
  const { declarations, tokens } = readBlock(reader, isRoot);
  const { file } = reader;
  const { line, col } = place;
  const selectorText = parts.join(', ');
  const { media } = context;
  context.rules.push({ selectors, selectorText, declarations, tokens, media, file, line, col });
}

/** Skips to behind the brace that closes the block just entered. */
function skipBlock(reader: Reader): void {
  for (let depth = 1; reader.at < reader.text.length; ) {
    const char = reader.text[reader.at++];
    if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return;
  }
  report(reader, placeAt(reader, reader.at), 'unterminated declaration block');
}

function readBlock(reader: Reader, isRoot: boolean): Block {
  const block: Block = { declarations: [], tokens: [] };
  for (;;) {
    skipSpace(reader);
    const start = reader.at;
    const place = placeAt(reader, start);
    const text = readUpTo(reader);
    const stop = reader.text[reader.at];
    countParts(reader);
    if (stop === '{') {
      report(reader, place, 'nested rules are not supported');
      reader.at++;
      skipBlock(reader);
      continue;
    }
    if (text !== '') readDeclaration(reader, block, text, place, isRoot);
    if (stop === undefined) {
      report(reader, placeAt(reader, reader.at), 'unterminated declaration block');
      return block;
    }
    reader.at++;
    if (stop === '}') return block;
  }
}

function readDeclaration(reader: Reader, block: Block, text: string, at: Place, isRoot: boolean) {
  const colon = text.indexOf(':');
  if (colon < 0) {
    report(reader, at, `expected 'property: value', got ${quote(text)}`);
    return;
  }
  const property = text.slice(0, colon).trim();
  const value = text.slice(colon + 1).trim();
  if (/!\s*important/u.test(value)) {
    report(reader, at, '!important is not supported');
  } else if (isRoot) {
    const token = readToken(property, value);
    if ('error' in token) report(reader, at, token.error);
    else block.tokens.push(token);
  } else {
    const { file, version } = reader;
    const parsed = parseDeclaration(property, value, version, { file, ...at });
    if ('error' in parsed) report(reader, at, parsed.error);
    else block.declarations.push(parsed.declaration);
  }
}

function readToken(property: string, value: string): TokenDefinition | { error: string } {
  if (!property.startsWith('--')) {
    return { error: `only --token definitions are allowed in :root (got ${quote(property)})` };
  }
  const name = property.slice(2);
  // A token name may not start with a digit (G-036).
  if (!isTokenName(name)) return { error: `bad token name ${quote(property)}` };
  const color = parseLiteralColor(value);
  return color === null ? { error: `token ${property}: ${badColor(value)}` } : { name, color };
}
