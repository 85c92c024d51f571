/** What one text came apart into (library contract 2.5, read tolerantly: design 1). */
export interface SplitText {
  /** Text between the delimiters, '' for an empty block; null where there is no block. */
  frontmatter: string | null;
  /** Everything after the closing delimiter's line, byte for byte. */
  body: string;
  /** 1-based line of the first line of the block. */
  frontmatterLine: number;
  /** 1-based line of the first line of the body. */
  bodyLine: number;
  /** What is wrong with the delimiters; empty for a block by the rules. */
  defects: SplitDefect[];
}

export interface SplitDefect {
  line: number;
  message: string;
  fix: string;
}

interface Line {
  /** Offset of the first character. */
  start: number;
  /** Offset after the line end. */
  next: number;
  number: number;
  /** Without the line end. */
  text: string;
}

/** A block without opening delimiter is only looked for in the first lines. */
const HEADLESS_LINES = 60;

/**
 * Part a text into frontmatter and body.
 *
 * By the rules: an optional byte order mark, a first line `---`, the next line
 * `---` ends the block (trailing spaces, tabs and carriage returns ignored).
 * Beyond them, and reported: blank lines before the block, a missing opening
 * line, a missing closing line.
 */
export function splitFrontmatter(text: string): SplitText {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const first = skipBlankLines(text, start);
  if (first === undefined) return noBlock(text, start);
  if (!isDelimiter(first.text)) return splitHeadless(text, first) ?? noBlock(text, start);

  const defects: SplitDefect[] = [];
  if (first.number > 1) {
    defects.push({
      line: 1,
      message: 'blank lines come before the opening ---',
      fix: 'make --- the first line of the file',
    });
  }
  const blockLine = first.number + 1;
  const closing = findClosing(text, first);
  if (closing !== undefined && !holdsMarkdown(text, first, closing)) {
    return {
      frontmatter: text.slice(first.next, closing.start),
      body: text.slice(closing.next),
      frontmatterLine: blockLine,
      bodyLine: closing.number + 1,
      defects,
    };
  }
  const end = findLooseEnd(text, first);
  defects.push({
    line: end.number,
    message: 'the closing --- of the frontmatter is missing',
    fix: 'put a line --- after the last field',
  });
  return {
    frontmatter: text.slice(first.next, end.start),
    body: text.slice(end.start),
    frontmatterLine: blockLine,
    bodyLine: end.number,
    defects,
  };
}

function noBlock(text: string, start: number): SplitText {
  return {
    frontmatter: null,
    body: text.slice(start),
    frontmatterLine: 1,
    bodyLine: 1,
    defects: [],
  };
}

function lineAt(text: string, start: number, number: number): Line | undefined {
  if (start >= text.length) return undefined;
  const end = text.indexOf('\n', start);
  const stop = end < 0 ? text.length : end;
  return { start, next: end < 0 ? stop : end + 1, number, text: text.slice(start, stop) };
}

function skipBlankLines(text: string, start: number): Line | undefined {
  let line = lineAt(text, start, 1);
  while (line !== undefined && isBlank(line.text)) line = lineAt(text, line.next, line.number + 1);
  return line;
}

function isDelimiter(line: string): boolean {
  return line.startsWith('---') && /^[ \t\r]*$/.test(line.slice(3));
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function findClosing(text: string, opening: Line): Line | undefined {
  let line = lineAt(text, opening.next, opening.number + 1);
  while (line !== undefined && !isDelimiter(line.text)) {
    line = lineAt(text, line.next, line.number + 1);
  }
  return line;
}

/** A line that a YAML mapping may hold at its top level, or inside a value by its indent. */
function looksLikeYaml(line: string): boolean {
  return /^(?:[ \t]+\S|-(?:\s|$)|[\]}]|["']?[A-Za-z_][\w.-]{0,63}["']?\s*:(?:\s|$))/.test(line);
}

/**
 * True when a blank line and a markdown heading lie between the two
 * delimiters with prose after it: then the second one is a rule in the body
 * and the real closing line is missing.
 */
function holdsMarkdown(text: string, opening: Line, closing: Line): boolean {
  let wasBlank = false;
  let sawHeading = false;
  for (
    let line = lineAt(text, opening.next, opening.number + 1);
    line !== undefined && line.start < closing.start;
    line = lineAt(text, line.next, line.number + 1)
  ) {
    if (sawHeading && !isBlank(line.text) && !looksLikeYaml(line.text)) return true;
    if (wasBlank && /^#{1,6} \S/.test(line.text)) sawHeading = true;
    wasBlank = isBlank(line.text);
  }
  return false;
}

/** Where a block without closing line ends: at the first line that is no longer YAML. */
function findLooseEnd(text: string, opening: Line): Line {
  let last = opening;
  for (;;) {
    const line = lineAt(text, last.next, last.number + 1);
    if (line === undefined) {
      return { start: text.length, next: text.length, number: last.number + 1, text: '' };
    }
    if (!looksLikeYaml(line.text)) return line;
    last = line;
  }
}

function splitHeadless(text: string, first: Line): SplitText | undefined {
  if (!/^(?:name|description)\s*:/.test(first.text)) return undefined;
  let line: Line | undefined = first;
  while (line !== undefined && line.number < first.number + HEADLESS_LINES) {
    if (isDelimiter(line.text)) {
      return {
        frontmatter: text.slice(first.start, line.start),
        body: text.slice(line.next),
        frontmatterLine: first.number,
        bodyLine: line.number + 1,
        defects: [
          {
            line: first.number,
            message: 'the opening --- of the frontmatter is missing',
            fix: 'make --- the first line of the file',
          },
        ],
      };
    }
    if (!looksLikeYaml(line.text) && !isBlank(line.text)) return undefined;
    line = lineAt(text, line.next, line.number + 1);
  }
  return undefined;
}
