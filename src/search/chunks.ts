/** Body chunks that are embedded for one entry; more gave nothing measurable (design 7). */
export const CHUNKS_PER_ENTRY = 3;

/** The model was trained on pieces of about this many characters, cut at headings. */
const CHUNK_CHARS = 800;
/** A section longer than this is cut hard, in slices of SLICE_CHARS. */
const MAX_CHUNK_CHARS = 1_000;
const SLICE_CHARS = 900;
/** Code says little about when a skill helps: a block keeps this many characters. */
const CODE_CHARS = 200;
/**
 * Three chunks need at most a few thousand characters; this bounds the work on
 * a giant body while leaving room for long code blocks that shrink.
 */
const BODY_CHARS_READ = 60_000;

/** Grows whenever the same entry gives other texts to embed. */
export const CHUNKER_VERSION = 1;

/** A name as the model was taught to read it: words, no separators. */
export function nameWords(name: string): string {
  return name.replace(/[-_/]+/g, ' ').trim();
}

/** What is embedded for the entry itself (model card; design 7). */
export function entryText(name: string, description: string, whenToUse: string | null): string {
  const text = `${nameWords(name)}: ${description}`;
  return whenToUse === null || whenToUse === '' ? text : `${text} ${whenToUse}`;
}

/**
 * What is embedded of a body: at most {@link CHUNKS_PER_ENTRY} texts, each led
 * by the entry's name, cut at headings of level 1 to 3 (model card).
 */
export function chunk(name: string, body: string): string[] {
  const prefix = `${nameWords(name)}. `;
  return cutBody(body).map((piece) => prefix + piece);
}

function cutBody(body: string): string[] {
  const text = shortenCode(body.slice(0, BODY_CHARS_READ).replace(/\r\n?/g, '\n'));
  const sections: string[] = [];
  let current = '';
  for (const section of text.split(/\n(?=#{1,3} )/)) {
    if (current.length + section.length > CHUNK_CHARS && current !== '') {
      sections.push(current);
      current = section;
    } else {
      current += `\n${section}`;
    }
  }
  sections.push(current);
  const pieces: string[] = [];
  for (const section of sections) {
    let rest = section;
    while (rest.length > MAX_CHUNK_CHARS && pieces.length < CHUNKS_PER_ENTRY) {
      const cut = safeCut(rest, SLICE_CHARS);
      pieces.push(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    if (rest.trim() !== '') pieces.push(rest);
    if (pieces.length >= CHUNKS_PER_ENTRY) break;
  }
  return pieces.slice(0, CHUNKS_PER_ENTRY);
}

/** Every fenced block cut to its first characters, fences included. */
function shortenCode(text: string): string {
  let out = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('```', at);
    const close = open < 0 ? -1 : text.indexOf('```', open + 3);
    if (close < 0) return out + text.slice(at);
    const end = close + 3;
    out += text.slice(at, open) + text.slice(open, Math.min(end, safeCut(text, open + CODE_CHARS)));
    at = end;
  }
}

/** `at`, moved back by one where it would split a surrogate pair. */
function safeCut(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}
