/**
 * Characters that a person does not see and a model or a terminal does:
 * controls, zero-width marks, direction overrides and tag characters.
 * U+200C and U+200D stay: scripts and emoji need them.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** NUL and direction overrides: the two kinds that make a body read as something else. */
const DECEPTIVE = /[\u0000\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

/** `text` without hidden characters, and how many there were. */
export function stripHidden(text: string): { text: string; removed: number } {
  let removed = 0;
  const kept = text.replace(HIDDEN, () => {
    removed += 1;
    return '';
  });
  return { text: kept, removed };
}

/** Offset of the first NUL, direction override or tag character; -1 when there is none. */
export function findDeceptive(text: string): number {
  return text.search(DECEPTIVE);
}
