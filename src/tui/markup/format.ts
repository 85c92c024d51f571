import { normaliseBody } from './body.ts';
import type { Attribute, Comment, Element, MarkupFile, MarkupNode } from './types.ts';

/** Elements whose body is one text, printed inline when it is one line (U-169). */
const TEXT_TAGS = new Set(['text', 'button', 'column']);

/** The standard form of a document (U-168 … U-170); ends with exactly one LF. */
export function formatMarkup({ before, root, after }: MarkupFile): string {
  const lines: string[] = [];
  for (const comment of before) lines.push(commentLine(comment, 0));
  writeElement(root, 0, lines);
  for (const comment of after) lines.push(commentLine(comment, 0));
  return `${lines.join('\n')}\n`;
}

/** Nesting is bounded by the scanner (256), so recursion is safe. */
function writeElement(element: Element, level: number, lines: string[]): void {
  const { tag, children } = element;
  const start = `${pad(level)}<${tag}${attributeText(element.attributes)}`;
  const isBlank = children.every(
    (child) => child.kind === 'text' && !/[^ \t\n\r]/.test(child.text),
  );
  if (isBlank) {
    lines.push(`${start}/>`);
    return;
  }
  const end = `</${tag}>`;
  if (children.every((child) => child.kind === 'text')) {
    const body = children.map((child) => child.text).join('');
    if (tag === 'style') {
      const sheet = dedent(body).map((line) => indented(escapeSheet(line), level + 1));
      lines.push(`${start}>`, ...sheet, `${pad(level)}${end}`);
      return;
    }
    const text = normaliseBody(body).split('\n').map(escapeText);
    if (TEXT_TAGS.has(tag) && text.length === 1) {
      lines.push(`${start}>${text[0]}${end}`);
      return;
    }
  }
  lines.push(`${start}>`);
  writeChildren(children, level + 1, lines);
  lines.push(`${pad(level)}${end}`);
}

function writeChildren(children: readonly MarkupNode[], level: number, lines: string[]): void {
  let text = '';
  const flush = () => {
    const body = normaliseBody(text);
    text = '';
    if (body === '') return;
    for (const line of body.split('\n')) lines.push(indented(escapeText(line), level));
  };
  for (const child of children) {
    if (child.kind === 'text') {
      text += child.text;
      continue;
    }
    flush();
    if (child.kind === 'comment') lines.push(commentLine(child, level));
    else writeElement(child, level, lines);
  }
  flush();
}

/** `id`, `class`, the class guards, then the rest, each group in source order (U-168). */
function attributeText(attributes: readonly Attribute[]): string {
  const rank = ({ name }: Attribute) => {
    if (name === 'id') return 0;
    if (name === 'class') return 1;
    return name.startsWith('class:') ? 2 : 3;
  };
  const sorted = [...attributes].sort((a, b) => rank(a) - rank(b));
  return sorted.map(({ name, value }) => ` ${name}="${escapeAttribute(value)}"`).join('');
}

/** Lines of a sheet without their common indentation and outer blank lines (U-169). */
export function dedent(body: string): string[] {
  const lines = body.split('\n').map((line) => line.replace(/[ \t]+$/, ''));
  while (lines.length > 0 && lines[0]!.trim() === '') lines.shift();
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop();
  let common = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (line !== '') common = Math.min(common, /^[ \t]*/.exec(line)![0].length);
  }
  return lines.map((line) => line.slice(common));
}

function commentLine({ body }: Comment, level: number): string {
  return `${pad(level)}<!--${body}-->`;
}

function pad(level: number): string {
  return '  '.repeat(level);
}

function indented(line: string, level: number): string {
  return line === '' ? '' : pad(level) + line;
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function escapeAttribute(value: string): string {
  return value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}

function escapeSheet(line: string): string {
  return line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replaceAll(']]>', ']]&gt;');
}
