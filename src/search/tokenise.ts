import { stem } from './stem.ts';

/**
 * Grows whenever the same text gives other tokens: rows tokenised by an older
 * version must be tokenised again, because query and index have to agree.
 */
export const TOKENISER_VERSION = 1;

/**
 * Characters of a body that are indexed. The longest entry in the wild is about
 * 60,000; a file that is all one body of megabytes must not stall the indexer.
 */
export const BODY_CHARS_INDEXED = 100_000;

/** A token longer than this is a hash, a key or a data URL: nobody searches for it. */
const MAX_TOKEN_CHARS = 40;

/**
 * One word with what holds an identifier together: a leading dot (.NET), inner
 * dots, hyphens and apostrophes (node.js, pre-commit, don't), a closing ++ or #.
 */
const WORD =
  /\.?[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*(?:[.'’-][\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*)*(?:\+\+|#)?/gu;

/** `parseHTTPHeader` → parse, HTTP, Header; digits stay with the letters before them. */
const CAMEL =
  /\p{Lu}+(?=\p{Lu}\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|\p{Lu}+\p{N}*|\p{N}+\p{L}*|[^\p{Lu}\p{Ll}\p{N}]+/gu;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Names written in camel case whose halves say something else (JavaScript is no Java). */
const WHOLE = new Set(
  'javascript typescript coffeescript github gitlab youtube linkedin powershell powerpoint postgresql mysql nosql graphql wordpress facebook macos ios ipados iphone ipad latex bibtex oauth oauth2'.split(
    ' ',
  ),
);

/** Shorthands that developers use for the same thing: both sides are written the long way. */
const ALIAS: ReadonlyMap<string, string> = new Map([
  ['k8s', 'kubernetes'],
  ['js', 'javascript'],
  ['ts', 'typescript'],
  ['py', 'python'],
  ['python3', 'python'],
  ['golang', 'go'],
  ['postgresql', 'postgres'],
  ['psql', 'postgres'],
  ['db', 'database'],
  ['repo', 'repository'],
  ['repos', 'repository'],
  ['config', 'configuration'],
  ['configs', 'configuration'],
  ['env', 'environment'],
  ['auth', 'authentication'],
  ['docs', 'documentation'],
  ['doc', 'documentation'],
  ['perf', 'performance'],
  ['deps', 'dependency'],
  ['dep', 'dependency'],
  ['spec', 'specification'],
  ['specs', 'specification'],
  ['infra', 'infrastructure'],
  ['prs', 'pr'],
  ['a11y', 'accessibility'],
  ['i18n', 'internationalization'],
  ['l10n', 'localization'],
  ['tf', 'terraform'],
  ['md', 'markdown'],
]);

/**
 * Words of a text for the lexical index and for queries: lower case, accents
 * off, lightly stemmed, in order, repeats kept. An identifier gives its parts
 * and itself joined (`storeToRefs` → store, to, ref, storetorefs). Each token
 * holds only letters, digits and `_`, so that FTS5's own tokenizer keeps it whole.
 */
export function tokenise(text: string): string[] {
  const tokens: string[] = [];
  for (const [word] of text.normalize('NFKC').matchAll(WORD)) {
    for (const token of tokensOf(word)) tokens.push(token);
  }
  return tokens;
}

/**
 * Tokens of words met lately. Prose repeats itself: nine of ten words of a body
 * are in here, which makes indexing four times as fast.
 */
const recent = new Map<string, readonly string[]>();
/** Some 8 MB: the vocabulary of a thousand entries. Starting over now and then costs little. */
const MAX_RECENT = 60_000;

function tokensOf(word: string): readonly string[] {
  let tokens = recent.get(word);
  if (tokens === undefined) {
    const made: string[] = [];
    addWord(word, made);
    tokens = made;
    if (recent.size >= MAX_RECENT) recent.clear();
    // Long words are keys and data URLs: never met again.
    if (word.length <= MAX_TOKEN_CHARS) recent.set(word, tokens);
  }
  return tokens;
}

/** The tokens of a text as one FTS5 column stores them. */
export function ftsText(text: string): string {
  return tokenise(text).join(' ');
}

function addWord(word: string, tokens: string[]): void {
  let rest = word;
  if (rest.endsWith('++')) {
    // C++ and g++; `i++` in code is the variable alone.
    rest = rest.slice(0, -2);
    if (/^(?:.*[.-])?[cg]$/i.test(rest)) {
      tokens.push('cpp');
      return;
    }
  } else if (rest.endsWith('#')) {
    rest = rest.slice(0, -1);
    if (/^[cfj]$/i.test(rest)) {
      tokens.push(`${rest.toLowerCase()}sharp`);
      return;
    }
  }
  const dotnet = /^(.*?)\.net(?=$|[.-])(.*)$/i.exec(rest);
  if (dotnet !== null && (dotnet[1] === '' || /^(asp|vb|ado|ml)$/i.test(dotnet[1]!))) {
    if (dotnet[1] !== '') addSegment(dotnet[1]!, tokens);
    tokens.push('dotnet');
    if (dotnet[2]!.length > 1) addWord(dotnet[2]!.slice(1), tokens);
    return;
  }
  if (rest.startsWith('.')) rest = rest.slice(1);
  if (/^v?\d+(?:\.\d+)+$/i.test(rest)) {
    addVersion(rest, tokens);
    return;
  }
  rest = rest.replace(/['’]s$/i, '').replace(/['’]/g, '');
  const segments = rest.split(/[.\-_]+/).filter((segment) => segment !== '');
  for (const segment of segments) addSegment(segment, tokens);
  // `pre-commit` must be found as `precommit`, `node.js` as `nodejs`.
  if (segments.length > 1 && segments.length <= 4) pushToken(fold(segments.join('')), tokens);
}

/** `3.12.1` → 3_12_1 and 3_12, so that a shorter version still finds it. */
function addVersion(version: string, tokens: string[]): void {
  const numbers = version.replace(/^v/i, '').split('.');
  pushToken(numbers.join('_'), tokens);
  if (numbers.length > 2) pushToken(numbers.slice(0, 2).join('_'), tokens);
  tokens.push(numbers[0]!.slice(0, MAX_TOKEN_CHARS));
}

function addSegment(segment: string, tokens: string[]): void {
  const whole = fold(segment);
  if (UNSPACED.test(segment)) {
    addBigrams(whole, tokens);
    return;
  }
  const alias = ALIAS.get(whole);
  if (alias !== undefined) {
    pushToken(stem(alias), tokens);
    return;
  }
  const isCamel = !WHOLE.has(whole) && /\p{Lu}/u.test(segment) && /\p{Ll}/u.test(segment);
  const parts = isCamel ? (segment.match(CAMEL) ?? []) : [];
  if (parts.length > 1) {
    for (const part of parts) {
      const folded = fold(part);
      if (folded.length > 1) pushToken(stem(ALIAS.get(folded) ?? folded), tokens);
    }
    pushToken(whole, tokens);
    return;
  }
  pushToken(stem(whole), tokens);
  const letters = /^(\p{L}{3,})\p{N}+$/u.exec(whole);
  if (letters !== null) pushToken(stem(letters[1]!), tokens);
}

/** Scripts without spaces: overlapping pairs, the usual stand-in for words. */
function addBigrams(text: string, tokens: string[]): void {
  const characters = [...text];
  if (characters.length === 1) tokens.push(text);
  for (let i = 0; i + 1 < characters.length; i++) tokens.push(characters[i]! + characters[i + 1]!);
}

function pushToken(token: string, tokens: string[]): void {
  if (token.length > 0 && token.length <= MAX_TOKEN_CHARS) tokens.push(token);
}

/** Lower case without accents. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  // ASCII needs no decomposition; this is nearly all text.
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  return lower.normalize('NFKD').replace(/\p{M}+/gu, '');
}
