import { isMap, isNode, isScalar, parseDocument } from 'yaml';
import { MAX_YAML_CHARS } from './limits.ts';
import { type SplitDefect, type SplitText, splitFrontmatter } from './split-frontmatter.ts';

export { type SplitText, splitFrontmatter } from './split-frontmatter.ts';

/** One field as written. */
export interface Field {
  /** By YAML's core schema; mappings are `Map`s, so that no key can reach a prototype. */
  value: unknown;
  /** The value's own text, trimmed: what a person meant where the type is wrong. */
  source: string;
  /** 1-based line in the file. */
  line: number;
}

export interface Frontmatter extends SplitText {
  /** Top-level fields by their exact spelling; a repeated key keeps its first value. */
  fields: Map<string, Field>;
  /** Problems of delimiters, YAML and repeated keys. */
  defects: SplitDefect[];
}

/**
 * No anchors: an alias bomb is refused at its first alias, whatever its size
 * (design 10). `strict` off accepts what editors do to indentation.
 */
const NO_ALIASES = { maxAliasCount: 0, mapAsMap: true } as const;
const PARSE = {
  schema: 'core',
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
  resolveKnownTags: false,
} as const;

/**
 * Read the frontmatter of a text tolerantly: YAML where it is YAML, key by key
 * where it is not. Never throws.
 */
export function parseFrontmatter(text: string): Frontmatter {
  const split = splitFrontmatter(text);
  const reading: Frontmatter = { ...split, fields: new Map(), defects: [...split.defects] };
  if (split.frontmatter === null || split.frontmatter.trim() === '') return reading;
  const block = dedent(split.frontmatter);
  if (block.length > MAX_YAML_CHARS) {
    reading.defects.push({
      line: split.frontmatterLine,
      message: `the frontmatter has ${block.length} characters; above ${MAX_YAML_CHARS} it is read line by line`,
      fix: 'move long text into the body',
    });
    readKeyByKey(reading, block, false);
  } else if (!readWhole(reading, block)) {
    readKeyByKey(reading, block, true);
    if (reading.fields.size === 0) {
      reading.defects.push({
        line: split.frontmatterLine,
        message: 'the frontmatter holds no "key: value" line',
        fix: 'write the fields as key: value, one a line',
      });
    }
  }
  return reading;
}

/** Without the indent that every line has: YAML takes one of spaces, people also use tabs. */
function dedent(block: string): string {
  const lines = block.split('\n');
  const written = lines.filter((line) => line.trim() !== '');
  const indent = /^[ \t]+/.exec(written[0] ?? '')?.[0];
  if (indent === undefined || !written.every((line) => line.startsWith(indent))) return block;
  return lines
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
}

/** Read the block as one YAML mapping; false when it is not one. */
function readWhole(reading: Frontmatter, block: string): boolean {
  const pairs = parsePairs(block);
  if (pairs === undefined) return false;
  const lines = lineCounter(block, reading.frontmatterLine);
  for (const pair of pairs) keepField(reading, pair.key, { ...pair, line: lines(pair.offset) });
  return true;
}

interface Pair {
  key: string;
  value: unknown;
  source: string;
  offset: number;
}

function parsePairs(block: string): Pair[] | undefined {
  if (nestsDeeply(block)) return undefined;
  try {
    const document = parseDocument(block, PARSE);
    if (document.errors.length > 0) return undefined;
    if (document.contents === null) return [];
    if (!isMap(document.contents)) return undefined;
    const pairs: Pair[] = [];
    for (const { key, value } of document.contents.items) {
      if (!isScalar(key)) continue;
      const range = isNode(value) ? value.range : undefined;
      pairs.push({
        key: String(key.value),
        value: isNode(value) ? value.toJS(document, NO_ALIASES) : null,
        source: !range ? '' : block.slice(range[0], range[1]).trim(),
        offset: key.range?.[0] ?? 0,
      });
    }
    return pairs;
  } catch {
    // Aliases, and nesting deeper than the stack: both end in a RangeError or ReferenceError.
    return undefined;
  }
}

/** Levels of lists and mappings that are handed to the YAML library; real frontmatter has three. */
const MAX_NESTING = 32;

/**
 * True for nesting that only a file made to hurt has. The library recurses, and
 * builds regular expressions as long as the indent: 30,000 levels end the
 * process, not merely the parse. Brackets inside quotes count too; nobody
 * leaves 32 of them open.
 */
function nestsDeeply(block: string): boolean {
  let open = 0;
  for (let i = 0; i < block.length; i += 1) {
    const character = block[i];
    if (character === '[' || character === '{') open += 1;
    else if ((character === ']' || character === '}') && open > 0) open -= 1;
    if (open > MAX_NESTING) return true;
  }
  return COMPACT_NESTING.test(block) || DEEP_INDENT.test(block);
}

/** `- - - -` and `? ? ? ?` open a level with each mark. */
const COMPACT_NESTING = new RegExp(`(?:[-?:][ \\t]+){${MAX_NESTING}}`);

/** An indent needs a level per space to nest; 256 is wider than any list or block of text. */
const DEEP_INDENT = /^[ \t]{256}/m;

/** Line of an offset; offsets may come in any order. */
function lineCounter(block: string, firstLine: number): (offset: number) => number {
  const starts = [0];
  for (let i = block.indexOf('\n'); i >= 0; i = block.indexOf('\n', i + 1)) starts.push(i + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return firstLine + low;
  };
}

/** Top-level keys that are kept; the widest real frontmatter has some twenty. */
const MAX_KEYS = 256;

/** Defects told of one file: whoever mends them sees the rest then. */
const MAX_DEFECTS = 20;

function keepField(reading: Frontmatter, key: string, field: Field): void {
  const { value, source, line } = field;
  if (!reading.fields.has(key)) {
    reading.fields.set(key, { value, source, line });
    return;
  }
  tell(reading, {
    line,
    message: `${key} is given twice; the first one counts`,
    fix: `remove one ${key}`,
  });
}

function tell(reading: Frontmatter, defect: SplitDefect): void {
  if (reading.defects.length < MAX_DEFECTS) reading.defects.push(defect);
}

interface Chunk {
  key: string;
  /** The key's line and every line up to the next key. */
  text: string;
  line: number;
}

/** A key at the start of a line. The length is bounded: keys are short, lines need not be. */
const KEY_LINE = /^["']?([A-Za-z_][\w.-]{0,63})["']?[ \t]*:(?=\s|$)/;

/**
 * Each top-level key on its own, so that one bad value costs no other. What
 * is still not YAML is taken as the text it is.
 */
function readKeyByKey(reading: Frontmatter, block: string, tryYaml: boolean): void {
  for (const chunk of chunkByKey(block, reading.frontmatterLine)) {
    if (reading.fields.size >= MAX_KEYS) {
      tell(reading, {
        line: chunk.line,
        message: `there are more than ${MAX_KEYS} keys; from here on they are left out`,
        fix: 'move them into the body',
      });
      return;
    }
    // A repeated key is not worth a parse: its first value counts.
    const read = tryYaml && !reading.fields.has(chunk.key) ? parseChunk(chunk) : undefined;
    if (read !== undefined) {
      keepField(reading, chunk.key, { ...read, line: chunk.line });
      continue;
    }
    const source = plainText(chunk);
    keepField(reading, chunk.key, { value: source, source, line: chunk.line });
    // `argument-hint: [file] [line]` is how Claude Code documents the field.
    if (!tryYaml || chunk.key === 'argument-hint') continue;
    tell(reading, describeDefect(chunk, source));
  }
}

function describeDefect(chunk: Chunk, source: string): SplitDefect {
  if (/(^|[\s[,])[*&]\w/.test(source)) {
    return {
      line: chunk.line,
      message: `${chunk.key} uses a YAML anchor or alias, which is not followed; it was read as plain text`,
      fix: 'write the value out, or put it in double quotes',
    };
  }
  if (/:(\s|$)/.test(source)) {
    return {
      line: chunk.line,
      message: `${chunk.key} holds a colon, which YAML takes for another key; it was read as plain text`,
      fix: `put the value of ${chunk.key} in double quotes`,
    };
  }
  return {
    line: chunk.line,
    message: `${chunk.key} is not valid YAML; it was read as plain text`,
    fix: `put the value of ${chunk.key} in double quotes`,
  };
}

function chunkByKey(block: string, firstLine: number): Chunk[] {
  const chunks: { key: string; lines: string[]; line: number }[] = [];
  for (const [index, line] of block.split('\n').entries()) {
    const key = KEY_LINE.exec(line)?.[1];
    if (key !== undefined) chunks.push({ key, lines: [line], line: firstLine + index });
    else if (!line.startsWith('#')) chunks.at(-1)?.lines.push(line);
  }
  return chunks.map(({ key, lines, line }) => ({ key, text: lines.join('\n'), line }));
}

function parseChunk(chunk: Chunk): { value: unknown; source: string } | undefined {
  const [pair, ...others] =
    parsePairs(chunk.text) ??
    parsePairs(chunk.text.replace(/^[ \t]+/gm, (indent) => indent.replaceAll('\t', '  '))) ??
    [];
  return pair === undefined || others.length > 0 ? undefined : pair;
}

/** The words of a value whose YAML is broken: quotes and block marks off, lines joined. */
function plainText(chunk: Chunk): string {
  const [first = '', ...rest] = chunk.text.split('\n');
  const value = first.replace(KEY_LINE, '').trim();
  const isBlockScalar = /^[|>][+-]?\d?$/.test(value);
  const lines = (isBlockScalar ? rest : [value, ...rest]).map((line) => line.trim());
  const text = lines.join(value.startsWith('|') ? '\n' : ' ').trim();
  const quote = /^["']/.exec(text)?.[0];
  if (quote === undefined) return text;
  const inner = text.slice(1, text.length > 1 && text.endsWith(quote) ? -1 : undefined);
  return quote === '"' ? inner.replaceAll('\\"', '"').replaceAll('\\n', '\n') : inner;
}
