import { quote } from '../diagnostics/quote.ts';
import { scanDeclaration } from './declaration.ts';
import { PositionFinder } from './source.ts';
import type {
  Attribute,
  Comment,
  Element,
  MarkupFile,
  MarkupNode,
  Piece,
  Position,
  TextRun,
} from './types.ts';

/** Elements may nest this deep (U-016, U-232). */
const MAX_DEPTH = 256;

/**
 * Elements of one document. The largest that people write have some thousands; each takes a kilobyte
 * once it is checked.
 */
const MAX_ELEMENTS = 250_000;

/** Attributes, comments and stretches of text between entities, some 100 bytes each. */
const MAX_PARTS = 2_000_000;

/** The one violation that stops a document (U-010). */
export class MarkupError extends Error {
  override readonly name = 'MarkupError';
  readonly position: Position;

  constructor(message: string, position: Position) {
    super(message);
    this.position = position;
  }
}

interface OpenElement {
  readonly tag: string;
  readonly attributes: Attribute[];
  readonly children: MarkupNode[];
  readonly at: Position;
  readonly offset: number;
}

const NAME_START = /[_\p{L}]/u;
const NAME = /[_\p{L}][_\p{L}\p{Nd}\-.:\u00b7\p{Mn}\p{Mc}]*/uy;
const BAD_IN_COMMENT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const SPACE = /[ \t\n\r]*/y;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/**
 * Parse the XML subset (U-012 … U-019).
 *
 * @param text normalised source (see normaliseSource)
 * @throws MarkupError at the first violation
 */
export function scanMarkup(text: string): MarkupFile {
  return new MarkupScanner(text).file();
}

class MarkupScanner {
  readonly #text: string;
  readonly #finder: PositionFinder;
  #at = 0;
  #elements = 0;
  #parts = 0;

  constructor(text: string) {
    this.#text = text;
    this.#finder = new PositionFinder(text);
  }

  file(): MarkupFile {
    this.#at = scanDeclaration(this.#text, (message, offset) => this.#fail(message, offset));
    const before = this.#misc('text before the root element');
    if (this.#at >= this.#text.length) this.#fail('document has no root element');
    this.#rejectDeclaration();
    const root = this.#element();
    const after = this.#misc('text after the root element');
    if (this.#at < this.#text.length) this.#fail('a document must have a single root element');
    return { root, before, after };
  }

  /** White space and comments around the root (U-013). */
  #misc(textMessage: string): Comment[] {
    const comments: Comment[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#text.startsWith('<!--', this.#at)) comments.push(this.#comment());
      else if (this.#at < this.#text.length && this.#text[this.#at] !== '<')
        this.#fail(textMessage);
      else return comments;
    }
  }

  /** `<!DOCTYPE`, other declarations and processing instructions (U-014). */
  #rejectDeclaration(): void {
    const rest = this.#text.slice(this.#at, this.#at + 9);
    if (rest === '<!DOCTYPE' || rest === '<!doctype') this.#fail('DTD/DOCTYPE is not allowed');
    if (rest.startsWith('<?')) this.#fail('processing instructions are not allowed');
    if (rest.startsWith('<!')) this.#fail('declarations are not allowed');
  }

  /** The root and all below it, with an explicit stack. */
  #element(): Element {
    const stack: OpenElement[] = [];
    for (;;) {
      const opened = this.#startTag(stack.length);
      let closed: Element | null = null;
      if (opened.isClosed) closed = finish(opened.element);
      else stack.push(opened.element);
      for (;;) {
        const top = stack[stack.length - 1];
        if (closed !== null) {
          if (top === undefined) return closed;
          top.children.push(closed);
          closed = null;
        }
        if (this.#content(stack[stack.length - 1]!) === 'child') break;
        closed = finish(stack.pop()!);
      }
    }
  }

  /** Read text, comments and CDATA up to a child element or the closing tag, which is consumed. */
  #content(open: OpenElement): 'child' | 'closed' {
    const text = this.#text;
    for (;;) {
      if (this.#at >= text.length) this.#fail(`unclosed <${open.tag}>`, open.offset);
      if (text[this.#at] !== '<') {
        open.children.push(this.#characters());
      } else if (text.startsWith('</', this.#at)) {
        this.#endTag(open);
        return 'closed';
      } else if (text.startsWith('<!--', this.#at)) open.children.push(this.#comment());
      else if (text.startsWith('<![CDATA[', this.#at)) open.children.push(this.#cdata());
      else {
        this.#rejectDeclaration();
        return 'child';
      }
    }
  }

  #startTag(depth: number): { element: OpenElement; isClosed: boolean } {
    const offset = this.#at;
    this.#elements++;
    if (this.#elements > MAX_ELEMENTS) {
      this.#fail(`document has more than ${MAX_ELEMENTS} elements`, offset);
    }
    const at = this.#finder.at(offset);
    this.#at++;
    const tag = this.#name();
    if (tag === null) this.#fail("expected a tag name after '<'", offset);
    if (depth >= MAX_DEPTH) this.#fail(`elements nested deeper than ${MAX_DEPTH} levels`, offset);
    const attributes: Attribute[] = [];
    const seen = new Set<string>();
    for (;;) {
      const beforeSpace = this.#at;
      this.#skipSpace();
      const char = this.#text[this.#at];
      if (char === undefined) this.#failInStartTag(tag, offset);
      const element = { tag, attributes, children: [], at, offset };
      if (char === '>') {
        this.#at++;
        return { element, isClosed: false };
      }
      if (char === '/' && this.#text[this.#at + 1] === '>') {
        this.#at += 2;
        return { element, isClosed: true };
      }
      if (char === '/' && this.#at + 1 >= this.#text.length) this.#failInStartTag(tag, offset);
      if (this.#at === beforeSpace) this.#fail(`expected whitespace before attribute in <${tag}>`);
      attributes.push(this.#attribute(tag, offset, seen));
    }
  }

  #attribute(tag: string, tagOffset: number, seen: Set<string>): Attribute {
    this.#countPart();
    const start = this.#at;
    const name = this.#name();
    if (name === null) this.#fail(`bad attribute in <${tag}>`, start);
    const place = this.#finder.at(start);
    this.#skipSpace();
    if (this.#at >= this.#text.length) this.#failInStartTag(tag, tagOffset);
    if (this.#text[this.#at] !== '=') {
      const hint = `(write ${name}="...")`;
      this.#fail(`attribute ${quote(name)} in <${tag}> has no value ${hint}`, start);
    }
    this.#at++;
    this.#skipSpace();
    const mark = this.#text[this.#at];
    if (mark === undefined) this.#failInStartTag(tag, tagOffset);
    if (mark === "'") this.#fail(`attribute ${quote(name)} must use double quotes`);
    if (mark !== '"') this.#fail(`attribute ${quote(name)} value must be double-quoted`);
    const from = this.#at + 1;
    const end = this.#text.indexOf('"', from);
    if (end < 0) this.#fail(`unterminated value for attribute ${quote(name)}`, start);
    const raw = this.#text.slice(from, end);
    if (raw.includes('<')) {
      this.#fail("'<' is not allowed in attribute values (use &lt;)", start);
    }
    if (seen.has(name)) this.#fail(`duplicate attribute ${quote(name)} in <${tag}>`, start);
    seen.add(name);
    const value = this.#decode(raw, from, null);
    this.#at = end + 1;
    return { name, value, ...place };
  }

  #endTag(open: OpenElement): void {
    const start = this.#at;
    this.#at += 2;
    const name = this.#name() ?? '';
    this.#skipSpace();
    if (this.#text[this.#at] !== '>') this.#fail(`malformed closing tag </${name}`, start);
    this.#at++;
    if (name === open.tag) return;
    const where = `opened at ${open.at.line}:${open.at.col}`;
    this.#fail(`closing tag </${name}> does not match <${open.tag}> ${where}`, start);
  }

  #characters(): TextRun {
    const start = this.#at;
    const next = this.#text.indexOf('<', start);
    const end = next < 0 ? this.#text.length : next;
    const raw = this.#text.slice(start, end);
    const stray = raw.indexOf(']]>');
    const place = this.#finder.at(start);
    const pieces: Piece[] = [];
    const limit = stray < 0 ? raw : raw.slice(0, stray);
    const text = this.#decode(limit, start, pieces);
    if (stray >= 0) {
      this.#fail("']]>' is not allowed in character data (XML 1.0 §2.4)", start + stray);
    }
    this.#at = end;
    return { kind: 'text', text, isCdata: false, ...place, pieces };
  }

  #cdata(): TextRun {
    this.#countPart();
    const start = this.#at;
    const from = start + '<![CDATA['.length;
    const end = this.#text.indexOf(']]>', from);
    if (end < 0) this.#fail('unterminated CDATA section', start);
    this.#at = end + 3;
    const place = this.#finder.at(start);
    const text = this.#text.slice(from, end);
    const pieces = [{ from: 0, ...this.#finder.at(from) }];
    return { kind: 'text', text, isCdata: true, ...place, pieces };
  }

  #comment(): Comment {
    this.#countPart();
    const start = this.#at;
    const from = start + 4;
    const end = this.#text.indexOf('-->', from);
    const body = this.#text.slice(from, end < 0 ? this.#text.length : end);
    if (end < 0) this.#fail('unterminated comment', start);
    if (body.includes('--')) this.#fail('"--" is not allowed inside a comment', start);
    if (body.endsWith('-')) {
      this.#fail("a comment may not end with '--->' (put a space before -->)", start);
    }
    const bad = BAD_IN_COMMENT.exec(body);
    if (bad !== null) {
      const code = bad[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      const message = `character U+${code} is not allowed in XML, even inside a comment`;
      this.#fail(message, from + bad.index);
    }
    this.#at = end + 3;
    return { kind: 'comment', body, ...this.#finder.at(start) };
  }

  /** Replace entities (U-018); `pieces` receives where the stretches of the result stand. */
  #decode(raw: string, offset: number, pieces: Piece[] | null): string {
    let out = '';
    for (let i = 0; i < raw.length; ) {
      this.#countPart();
      pieces?.push({ from: out.length, ...this.#finder.at(offset + i) });
      if (raw[i] !== '&') {
        const next = raw.indexOf('&', i);
        const end = next < 0 ? raw.length : next;
        out += raw.slice(i, end);
        i = end;
        continue;
      }
      const semicolon = raw.indexOf(';', i);
      if (semicolon < 0) this.#fail("bare '&' (write &amp;)", offset + i);
      const name = raw.slice(i + 1, semicolon);
      const char = ENTITIES.get(name);
      if (char === undefined) {
        const allowed = '(only &lt; &gt; &amp; &quot; &apos;)';
        this.#fail(`entity &${name}; is not allowed ${allowed}`, offset + i);
      }
      out += char;
      i = semicolon + 1;
    }
    return out;
  }

  #name(): string | null {
    const first = this.#text.codePointAt(this.#at);
    if (first === undefined || !NAME_START.test(String.fromCodePoint(first))) return null;
    NAME.lastIndex = this.#at;
    const name = NAME.exec(this.#text)![0];
    this.#at += name.length;
    return name;
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #countPart(): void {
    this.#parts++;
    if (this.#parts > MAX_PARTS) {
      this.#fail(`document has more than ${MAX_PARTS} attributes, comments and texts`);
    }
  }

  #failInStartTag(tag: string, offset: number): never {
    this.#fail(`unclosed <${tag}> (end of input inside the start tag)`, offset);
  }

  #fail(message: string, offset = this.#at): never {
    throw new MarkupError(message, this.#finder.at(offset));
  }
}

function finish(open: OpenElement): Element {
  const { tag, attributes, children, at } = open;
  return { kind: 'element', tag, attributes, children, ...at };
}
