import { readFileSync } from 'node:fs';

/**
 * BERT's uncased WordPiece, read from a Hugging Face `tokenizer.json`.
 *
 * Our own 100 lines instead of the native tokenizer that fastembed brings: one
 * native module less to be missing, 20 MB less resident in the embedder, and
 * the same ids on every text of the model card and of our catalogs.
 * Literal `[CLS]` or `[SEP]` in a text stays text: a catalog cannot forge a mark.
 */
export interface WordPiece {
  /** Token ids with `[CLS]` before and `[SEP]` behind, at most `maxTokens` in all. */
  encode(text: string, maxTokens: number): number[];
}

/** A longer word is unknown as a whole (the value of BERT's own tokenizer). */
const MAX_WORD_CHARS = 100;

/** @throws SyntaxError, or Error naming what is missing, when the file is no WordPiece tokenizer */
export function readWordPiece(path: string): WordPiece {
  return wordPieceFrom(readFileSync(path, 'utf8'));
}

interface TokenizerFile {
  model?: { unk_token?: string; continuing_subword_prefix?: string };
}

const VOCABULARY = /"vocab"\s*:\s*\{/;
const TOKEN = /\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*(\d+)\s*,?/y;

/**
 * Cut the vocabulary out of a tokenizer's JSON. `JSON.parse` makes an object of
 * 30,000 members first, which is half of the time from text to map, and every
 * start of a daemon waits for it.
 *
 * @returns ids by token, and the file without them
 */
function readVocabulary(json: string): { vocab: Map<string, number>; rest: TokenizerFile } {
  const vocab = new Map<string, number>();
  const found = VOCABULARY.exec(json);
  if (found === null) return { vocab, rest: JSON.parse(json) };
  const start = found.index + found[0].length;
  let end = start;
  TOKEN.lastIndex = start;
  for (let match = TOKEN.exec(json); match !== null; match = TOKEN.exec(json)) {
    const token = match[1]!;
    vocab.set(token.includes('\\') ? JSON.parse(`"${token}"`) : token, Number(match[2]));
    end = TOKEN.lastIndex;
  }
  // What follows is the closing brace, or the file is none of ours and does not parse.
  return { vocab, rest: JSON.parse(json.slice(0, start) + json.slice(end)) };
}

/** @param json a Hugging Face `tokenizer.json` */
export function wordPieceFrom(json: string): WordPiece {
  const { vocab, rest } = readVocabulary(json);
  const prefix = rest.model?.continuing_subword_prefix ?? '##';
  const idOf = (token: string): number => {
    const id = vocab.get(token);
    if (id === undefined) throw new Error(`the tokenizer's vocabulary has no ${token}`);
    return id;
  };
  const cls = idOf('[CLS]');
  const sep = idOf('[SEP]');
  const unknown = idOf(rest.model?.unk_token ?? '[UNK]');

  const addPieces = (word: string, ids: number[]): void => {
    const characters = [...word];
    if (characters.length > MAX_WORD_CHARS) {
      ids.push(unknown);
      return;
    }
    const from = ids.length;
    let start = 0;
    while (start < word.length) {
      let end = word.length;
      let id: number | undefined;
      while (end > start) {
        const piece = word.slice(start, end);
        id = vocab.get(start === 0 ? piece : prefix + piece);
        if (id !== undefined) break;
        end--;
      }
      if (id === undefined) {
        // One piece that is not in the vocabulary makes the whole word unknown.
        ids.length = from;
        ids.push(unknown);
        return;
      }
      ids.push(id);
      start = end;
    }
  };

  return {
    encode(text, maxTokens) {
      const ids = [cls];
      for (const word of splitWords(text)) {
        addPieces(word, ids);
        if (ids.length >= maxTokens) break;
      }
      ids.length = Math.min(ids.length, maxTokens - 1);
      ids.push(sep);
      return ids;
    },
  };
}

const CJK =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const ASCII_ONLY = /^[\x00-\x7f]*$/;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu;
/** ASCII symbols count as punctuation too, as in BERT. */
const WORDS = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;

/** BERT's cleaning and splitting: spaces and punctuation part words, case and accents go. */
function* splitWords(text: string): Iterable<string> {
  let clean = text.replace(/[\t\n\r]/g, ' ').replace(UNSEEN, '');
  if (!ASCII_ONLY.test(clean))
    clean = clean
      .replace(CJK, ' $& ')
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '');
  for (const [word] of clean.toLowerCase().matchAll(WORDS)) yield word;
}
