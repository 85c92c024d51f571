import { quote } from '../diagnostics/quote.ts';
import type { Compound, Pseudo, Selector } from './types.ts';

/** Types a selector may name, with the version that added them (G-012). */
const TYPES = new Map<string, 1 | 2>([
  ...[
    'screen',
    'col',
    'row',
    'box',
    'scroll',
    'spacer',
    'text',
    'rule',
    'list',
    'item',
    'input',
  ].map((tag): [string, 1] => [tag, 1]),
  ...['button', 'progress', 'modal'].map((tag): [string, 1] => [tag, 1]),
  ...['table', 'column', 'tabs', 'tab', 'sparkline', 'hints'].map((tag): [string, 2] => [tag, 2]),
]);
const UNRENDERED = new Set(['tui', 'style', 'keymap', 'bind']);

const PSEUDOS = new Map<string, 1 | 2>([
  ['focus', 1],
  ['selected', 1],
  ['disabled', 1],
  ['empty', 1],
  ['checked', 2],
  ['focus-within', 2],
]);

const NAME = /[A-Za-z0-9_-]*/y;
const SPACE = /\s/u;

interface MutableCompound {
  type: string | null;
  id: string | null;
  classes: string[];
  pseudos: Pseudo[];
}

class SelectorError extends Error {}

/**
 * Reads one selector, without commas (G-011, G-012, U-109).
 *
 * @param source  surrounding white space is ignored; comments must already be gone
 * @param version of the document that loads it
 */
export function parseSelector(
  source: string,
  version: 1 | 2 | 3,
): { selector: Selector } | { error: string } {
  const text = source.trim();
  if (text === '') return { error: 'empty selector' };
  try {
    const compounds = readCompounds(text, version);
    return { selector: { text, compounds, specificity: specificityOf(compounds) } };
  } catch (problem) {
    if (problem instanceof SelectorError) return { error: problem.message };
    throw problem;
  }
}

/** The ids a selector names, in order. */
export function selectorIds(selector: Selector): string[] {
  return selector.compounds.flatMap((compound) => (compound.id === null ? [] : [compound.id]));
}

function specificityOf(compounds: readonly Compound[]): number {
  let sum = 0;
  for (const { type, id, classes, pseudos } of compounds) {
    sum +=
      (type === null ? 0 : 1) + (id === null ? 0 : 100) + 10 * (classes.length + pseudos.length);
  }
  return sum;
}

function readCompounds(text: string, version: 1 | 2 | 3): Compound[] {
  const fail = (what: string): never => {
    throw new SelectorError(`selector ${quote(text)}${what}`);
  };
  const compounds: Compound[] = [];
  let at = 0;
  const skipSpace = () => {
    while (at < text.length && SPACE.test(text[at]!)) at++;
  };
  for (;;) {
    if (text[at] === '>') fail(": '>' needs a selector on both sides");
    const read = readCompound(text, at, version, fail);
    compounds.push(read.compound);
    at = read.end;
    const before = at;
    skipSpace();
    if (at >= text.length) return compounds;
    if (text[at] !== '>') {
      if (at > before) refuseUnsupported(text[at]!, fail);
      fail(": the descendant combinator (space) is not supported; use '>'");
    }
    at++;
    skipSpace();
    if (at >= text.length) fail(' ends with a combinator');
  }
}

function refuseUnsupported(char: string, fail: (what: string) => never): void {
  if (char === '*') fail(': the universal selector * is not supported');
  if (char === '&') fail(': nesting (&) is not supported');
  if (char === '[') fail(': attribute selectors are not supported');
  if (char === '+' || char === '~') fail(': sibling combinators are not supported');
}

function readCompound(
  text: string,
  start: number,
  version: 1 | 2 | 3,
  fail: (what: string) => never,
): { compound: Compound; end: number } {
  const compound: MutableCompound = { type: null, id: null, classes: [], pseudos: [] };
  let at = start;
  const name = () => {
    NAME.lastIndex = at;
    const word = NAME.exec(text)![0];
    at += word.length;
    return word;
  };
  if (/[A-Za-z_]/.test(text[at]!)) compound.type = checkType(name(), version, fail);
  while (at < text.length && !SPACE.test(text[at]!) && text[at] !== '>') {
    const char = text[at]!;
    refuseUnsupported(char, fail);
    at++;
    if (char === '#') {
      const id = name();
      if (id === '') fail(": '#' needs an id");
      if (compound.id !== null) fail(': more than one #id in a compound');
      compound.id = id;
    } else if (char === '.') {
      const className = name();
      if (className === '') fail(": '.' needs a class name");
      compound.classes.push(className);
    } else if (char === ':') {
      if (text[at] === ':') fail(': pseudo-elements are not supported');
      const pseudo = name();
      compound.pseudos.push(checkPseudo(pseudo, text[at] === '(', version, fail));
    } else {
      fail(`: unexpected ${quote(String.fromCodePoint(text.codePointAt(at - 1)!))}`);
    }
  }
  return { compound, end: at };
}

function checkType(type: string, version: number, fail: (what: string) => never): string {
  if (UNRENDERED.has(type)) {
    fail(`: <${type}> is not rendered and never matches; select a tag that is laid out`);
  }
  const since = TYPES.get(type);
  if (since === undefined) fail(`: unknown type ${quote(type)} (not in the tag catalog)`);
  else if (since > version) fail(`: type ${quote(type)} (requires version="2")`);
  return type;
}

function checkPseudo(
  pseudo: string,
  isFunction: boolean,
  version: number,
  fail: (what: string) => never,
): Pseudo {
  if (pseudo === 'root' && !isFunction) fail(': :root must stand alone');
  if (isFunction || pseudo.startsWith('nth-')) fail(`: :${pseudo} is not supported`);
  const since = PSEUDOS.get(pseudo);
  if (since === undefined) {
    const more = version >= 2 ? ' :checked :focus-within' : '';
    fail(
      `: pseudo-class :${pseudo} is not supported (use :focus :selected :disabled :empty${more})`,
    );
  } else if (since > version) {
    fail(`: pseudo-class :${pseudo} (requires version="2")`);
  }
  return pseudo as Pseudo;
}
