import { quote } from '../diagnostics/quote.ts';
import type { Attribute, EventName, Version } from '../markup/types.ts';
import { parseDeclaration } from '../style/declaration.ts';
import { parseSize } from '../style/size.ts';
import type { Declaration } from '../style/types.ts';
import { cleanText } from '../template/clean.ts';
import { hasBracePair, literal, parseTemplate } from '../template/parse.ts';
import {
  isGuardName,
  isIdent,
  isIdName,
  parseEach,
  parseFlag,
  parseGuard,
  parsePath,
} from '../template/paths.ts';
import type { EachClause, Flag } from '../template/types.ts';
import { type Draft, written } from './context.ts';

/** Longest number literal (U-041, U-232). */
const MAX_NUMBER_LENGTH = 1000;
const BORDERS = new Set(['none', 'single', 'double', 'rounded', 'thick']);
const CLEANED = new Set(['title', 'placeholder', 'label', 'keycap', 'short', 'mark']);
/** Priorities beyond a 64-bit integer all count as the largest one (G-077). */
const LARGEST_PRIORITY = 9_223_372_036_854_775_807n;

/** A problem of a value; the code is V003 unless given. */
export interface ValueFault {
  readonly msg: string;
  readonly code?: string;
}

/** What reading a value needs to know about the element. */
export interface ValuePlace {
  readonly tag: string;
  readonly version: Version;
  readonly file: string;
  readonly isSpike: boolean;
}

/**
 * Attribute text as the tools show it (U-043).
 * @returns the cleaned attribute and whether control characters had to go (V007)
 */
export function cleanAttribute(attribute: Attribute): { attribute: Attribute; stripped: boolean } {
  if (!CLEANED.has(attribute.name)) return { attribute, stripped: false };
  const spaced = attribute.value.replace(/[\t\n\r]/g, ' ');
  const value = cleanText(spaced, { keepLf: false });
  if (value === attribute.value) return { attribute, stripped: false };
  return { attribute: { ...attribute, value }, stripped: value !== spaced };
}

/**
 * Check one attribute value and put it into the node (U-042). A value that fails is not applied.
 *
 * @returns the faults, none when the value is good
 */
export function applyAttribute(node: Draft, attribute: Attribute, place: ValuePlace): ValueFault[] {
  const { name, value } = attribute;
  if (name.startsWith('on:')) return one(applyEvent(node, name.slice(3), value));
  if (name.startsWith('class:')) return one(applyClassGuard(node, name.slice(6), value));
  switch (name) {
    case 'class':
      return applyClasses(node, value, place.version);
    case 'style':
      return applyInline(node, attribute, place);
    case 'label':
    case 'short':
    case 'mark':
      return one(applyLiteral(node, attribute, place));
    case 'title':
    case 'placeholder':
      return one(applyTemplate(node, name, value));
    default:
      return one(applySimple(node, attribute, place));
  }
}

function one(fault: ValueFault | null): ValueFault[] {
  return fault === null ? [] : [fault];
}

function applySimple(node: Draft, attribute: Attribute, place: ValuePlace): ValueFault | null {
  const { name, value } = attribute;
  switch (name) {
    case 'id':
      return isIdName(value) ? null : { msg: badId(value) };
    case 'width':
    case 'height':
    case 'gap':
    case 'wrap':
      return applyDeclaration(node, attribute, name, value, place);
    case 'pad':
      return applyDeclaration(node, attribute, 'padding', value, place);
    case 'border':
      return applyBorder(node, attribute, place);
    case 'if':
      return applyIf(node, value);
    case 'each':
      return applyEach(node, value);
    case 'hidden':
    case 'disabled':
    case 'open':
      return applyFlag(node, name, value);
    case 'focusable':
    case 'secret':
      return applyBoolean(node, name, value);
    case 'bind':
    case 'key':
    case 'checked':
      return applyPath(node, name, value);
    case 'axis':
      return applyAxis(node, value, place.tag);
    case 'value':
      return applyPercent(node, value);
    case 'min':
    case 'max':
      return applyBound(node, name, value);
    default:
      return applyWord(node, name, value);
  }
}

/** Values that are one word of a small set. */
function applyWord(node: Draft, name: string, value: string): ValueFault | null {
  switch (name) {
    case 'scope':
      if (value !== 'active' && value !== 'all') return bad(name, value, 'want active or all');
      node.scope = value;
      return null;
    case 'priority':
      if (!/^[0-9]+$/.test(value)) return bad(name, value, 'want a non-negative integer');
      node.priority = readPriority(value);
      return null;
    case 'scale':
      if (!isIdent(value)) {
        const wanted = 'a scale name is a plain identifier ([A-Za-z_][A-Za-z0-9_]*)';
        return bad(name, value, wanted);
      }
      node.scale = value;
      return null;
    case 'stick':
      if (value !== 'bottom') return bad(name, value, 'want bottom');
      node.stick = true;
      return null;
    case 'focus':
      if (!value.startsWith('#') || !isIdName(value.slice(1))) return bad(name, value, 'want #id');
      node.focus = value.slice(1);
      return null;
    default:
      // `version`, `theme`, `mouse` are the root's, `src` the loader's, row attributes the keymap's.
      return null;
  }
}

function bad(name: string, value: string, wanted: string): ValueFault {
  return { msg: `${written(name, value)}: ${wanted}` };
}

function badId(value: string): string {
  return `bad id ${quote(value)} (letters, digits, '-' and '_'; must not start with a digit)`;
}

function readPriority(digits: string): bigint {
  const plain = digits.replace(/^0+(?=.)/, '');
  if (plain.length > 19) return LARGEST_PRIORITY;
  const number = BigInt(plain);
  return number > LARGEST_PRIORITY ? LARGEST_PRIORITY : number;
}

function applyClasses(node: Draft, value: string, version: Version): ValueFault[] {
  const faults: ValueFault[] = [];
  const classes: string[] = [];
  for (const name of value.split(/\s+/u)) {
    if (name === '') continue;
    if (isIdName(name)) classes.push(name);
    else faults.push({ msg: `bad class name ${quote(name)}` });
  }
  node.classes = version === 1 ? classes : [...new Set(classes)];
  return faults;
}

function applyDeclaration(
  node: Draft,
  at: Attribute,
  property: string,
  value: string,
  place: ValuePlace,
): ValueFault | null {
  const { line, col } = at;
  const text = value.trim();
  const parsed = parseDeclaration(property, text, place.version, { file: place.file, line, col });
  if ('declaration' in parsed) {
    node.presentational.push(parsed.declaration);
    return null;
  }
  // An empty size is a bad size here, while a declaration calls every empty value empty.
  const size =
    text === '' && (property === 'width' || property === 'height') ? parseSize('') : null;
  if (size !== null && 'error' in size) return { msg: `${at.name}: ${size.error}` };
  const prefix = `${property}: `;
  const rest = parsed.error.startsWith(prefix) ? parsed.error.slice(prefix.length) : parsed.error;
  return { msg: `${at.name}: ${rest}` };
}

function applyBorder(node: Draft, at: Attribute, place: ValuePlace): ValueFault | null {
  const style = at.value === '1' ? 'single' : at.value === '0' ? 'none' : at.value;
  if (!BORDERS.has(style)) {
    return bad('border', at.value, 'want 1, 0, none, single, double, rounded, or thick');
  }
  return applyDeclaration(node, at, 'border', style, place);
}

/** `style=""` (U-106): good declarations are kept, all problems sit at the attribute. */
function applyInline(node: Draft, at: Attribute, place: ValuePlace): ValueFault[] {
  const faults: ValueFault[] = [];
  const declarations: Declaration[] = [];
  const { line, col } = at;
  for (const part of at.value.split(';')) {
    const text = part.trim();
    if (text === '') continue;
    const colon = text.indexOf(':');
    if (colon < 0) {
      faults.push({ msg: `style: expected 'property: value', got ${quote(text)}` });
      continue;
    }
    const property = text.slice(0, colon).trim();
    const value = text.slice(colon + 1).trim();
    const place2 = { file: place.file, line, col };
    const parsed = parseDeclaration(property, value, place.version, place2);
    if ('error' in parsed) faults.push({ msg: parsed.error });
    else declarations.push(parsed.declaration);
  }
  node.inline = declarations;
  return faults;
}

function applyIf(node: Draft, value: string): ValueFault | null {
  const guard = parseGuard(value);
  if (guard === null) {
    return { code: 'V011', msg: `if: ${quote(value)} is not a path or !path (no spaces)` };
  }
  node.if = guard;
  return null;
}

function applyEach(node: Draft, value: string): ValueFault | null {
  const read = readEach(value);
  if ('msg' in read) return read;
  node.each = read;
  return null;
}

/** The clause, or its V011 (U-077). */
function readEach(value: string): EachClause | ValueFault {
  const each = parseEach(value);
  if (!('reason' in each)) return each;
  const { reason } = each;
  const head = written('each', value);
  if (reason.kind === 'shape') return { code: 'V011', msg: `${head} must be "path as alias"` };
  if (reason.kind === 'spaces') {
    const spaces = 'with exactly one space on each side of "as" and no other spaces';
    return { code: 'V011', msg: `${head} must be "path as alias" ${spaces}` };
  }
  if (reason.kind === 'path') {
    return { code: 'V011', msg: `${head}: ${quote(reason.text)} is not a path` };
  }
  return { code: 'V011', msg: `${head}: alias ${quote(reason.text)} is not an identifier` };
}

function applyFlag(
  node: Draft,
  name: 'hidden' | 'disabled' | 'open',
  value: string,
): ValueFault | null {
  const flag: Flag | null = parseFlag(value);
  if (flag === null) return bad(name, value, 'want true, false, a path, or !path');
  node[name] = flag;
  return null;
}

function applyBoolean(node: Draft, name: 'focusable' | 'secret', value: string): ValueFault | null {
  if (value !== 'true' && value !== 'false') return bad(name, value, 'want true or false');
  node[name] = value === 'true';
  return null;
}

function applyPath(
  node: Draft,
  name: 'bind' | 'key' | 'checked',
  value: string,
): ValueFault | null {
  const path = parsePath(value);
  if (path === null) return { msg: `${written(name, value)} is not a path` };
  node[name] = path;
  return null;
}

function applyAxis(node: Draft, value: string, tag: string): ValueFault | null {
  const allowsBoth = tag === 'scroll';
  if (value === 'x' || value === 'y' || (value === 'both' && allowsBoth)) {
    node.axis = value;
    return null;
  }
  return bad('axis', value, allowsBoth ? 'want x, y, or both' : 'want x or y');
}

function isDecimal(text: string): boolean {
  return text.length <= MAX_NUMBER_LENGTH && /^[0-9]+(?:\.[0-9]+)?$/.test(text);
}

function applyPercent(node: Draft, value: string): ValueFault | null {
  // Judged on the digits: 100.0…01 is above 100 however small its fraction.
  const isTooMuch = !/^0*(?:[0-9]{1,2}(?:\.[0-9]+)?|100(?:\.0+)?)$/.test(value);
  if (!isDecimal(value) || isTooMuch) return bad('value', value, 'want a number 0-100');
  node.value = Number(value);
  return null;
}

function applyBound(node: Draft, name: 'min' | 'max', value: string): ValueFault | null {
  if (!isDecimal(value.replace(/^-/, ''))) {
    return bad(name, value, 'want a number such as 0, -5, or 0.25');
  }
  node[name] = Number(value);
  return null;
}

function applyEvent(node: Draft, event: string, value: string): ValueFault | null {
  if (!isIdent(value)) return bad(`on:${event}`, value, 'an action is a plain name');
  node.on.set(event as EventName, value);
  return null;
}

function applyClassGuard(node: Draft, name: string, value: string): ValueFault | null {
  if (!isGuardName(name)) {
    const wanted = 'is not a class name for a guard ([a-z_][a-z0-9_-]*)';
    return { code: 'V015', msg: `class:${name}: ${quote(name)} ${wanted}` };
  }
  const guard = parseGuard(value);
  if (guard === null) {
    const msg = `${written(`class:${name}`, value)}: a class guard is path or !path`;
    return { code: 'V015', msg };
  }
  node.classGuards.push({ name, guard });
  return null;
}

function applyTemplate(
  node: Draft,
  name: 'title' | 'placeholder' | 'label' | 'short',
  value: string,
): ValueFault | null {
  const { template, error } = parseTemplate(value);
  node[name] = template;
  return error === null ? null : { msg: `${name}: ${error}` };
}

/** Literal attributes; a tab's label and short text are templates in v3 (U-044). */
function applyLiteral(node: Draft, attribute: Attribute, place: ValuePlace): ValueFault | null {
  const { name, value } = attribute;
  const isTabText = place.tag === 'tab' && (name === 'label' || name === 'short');
  if (isTabText && place.version >= 3) return applyTemplate(node, name, value);
  if (name === 'mark') node.mark = value;
  else node[name as 'label' | 'short'] = literal(value);
  if (!hasBracePair(value)) return null;
  return braceFault(name, isTabText ? ' (requires version="3")' : '');
}

/** The V003 for `{path}` where none is allowed (U-044). */
export function braceFault(name: string, ending = ''): ValueFault {
  return { msg: `${name}: {path} is only allowed in <text>, title, and placeholder${ending}` };
}
