/**
 * Endings taken off, longest first; what is left must keep `MIN_STEM` letters.
 * Both sides of a search use the same table, so a stem need not be a word:
 * `generate`, `generation` and `generator` all become `gener`.
 */
const ENDINGS = [
  'ization',
  'isation',
  'ation',
  'ator',
  'ment',
  'ize',
  'ise',
  'ate',
  'ity',
  'ive',
  'ion',
  'ly',
];
const MIN_STEM = 4;

/**
 * Light English stemming: plural, -ing, -ed, then one derivational ending.
 * Lighter than Porter's on purpose: in a catalog of tools, `docker` is no dock.
 *
 * @param word lower case, without accents; other scripts pass through
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let base = singular(word);
  if (base.length > 5 && base.endsWith('ing') && /[aeiouy]/.test(base.slice(0, -3)))
    base = undouble(base.slice(0, -3));
  else if (base.length > 4 && base.endsWith('ed') && !base.endsWith('eed'))
    base = /[aeiouy]/.test(base.slice(0, -2)) ? undouble(base.slice(0, -2)) : base;
  for (const ending of ENDINGS) {
    if (base.endsWith(ending) && base.length - ending.length >= MIN_STEM) {
      base = base.slice(0, -ending.length);
      break;
    }
  }
  if (base.length > 4 && base.endsWith('at')) base = base.slice(0, -2);
  else if (base.length > 4 && base.endsWith('iz')) base = base.slice(0, -2);
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  if (base.length > 3 && base.endsWith('y')) base = `${base.slice(0, -1)}i`;
  return base;
}

function singular(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** `running` → run, but `calling` → call. */
function undouble(word: string): string {
  return /([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
