import { firstInk, normaliseBody, textRuns } from '../markup/body.ts';
import type { Element, TextRun } from '../markup/types.ts';
import { cleanText } from '../template/clean.ts';
import { hasBracePair, literal, parseTemplate } from '../template/parse.ts';
import { findTag } from './catalog.ts';
import { type CheckContext, type Draft, report, type Subject } from './context.ts';
import { braceFault } from './values.ts';

/** Elements that hold character data. */
const TEXT_TAGS = new Set(['text', 'button', 'column']);
/** Elements that hold neither elements nor, but for the text tags, character data (U-034). */
const LEAVES = new Set([
  'text',
  'style',
  'bind',
  'input',
  'button',
  'progress',
  'rule',
  'spacer',
  'column',
  'sparkline',
  'hints',
]);

/** How an element's content is judged. */
export interface BodyPlace {
  readonly isSpike: boolean;
  readonly isTableItem: boolean;
  /** The tag itself is unknown in this version, so nothing is said about its own content. */
  readonly isUnknown: boolean;
}

/** True when child elements are reported and skipped (U-034). */
export function refusesElements(tag: string, place: BodyPlace): boolean {
  return !place.isUnknown && (place.isTableItem || LEAVES.has(tag));
}

/** Report a child element of an element that takes none (U-034), for the parent. */
export function reportChild(
  context: CheckContext,
  tag: string,
  child: Element,
  subject: Subject,
  place: BodyPlace,
): void {
  const found = `(found <${child.tag}>)`;
  if (place.isTableItem) {
    const msg = `a table's <item> is the row template: it takes classes only ${found}`;
    report(context, child, subject, 'V016', msg);
  } else if (tag === 'column') {
    const msg = `<column> holds its cell template as text, not as elements ${found}`;
    report(context, child, subject, 'V016', msg);
  } else if (tag === 'sparkline' || tag === 'hints') {
    report(context, child, subject, 'V016', `<${tag}> takes no children ${found}`);
  } else report(context, child, subject, 'V013', `<${tag}> cannot contain elements ${found}`);
}

/**
 * Check the character data of an element and put a body into the node (U-035, U-058, U-059, U-061).
 */
export function readBody(
  context: CheckContext,
  element: Element,
  node: Draft,
  subject: Subject,
  place: BodyPlace,
): void {
  const runs = textRuns(element);
  const { tag } = element;
  if (tag === 'style' && !place.isUnknown) return;
  const isDroppedColumn = place.isUnknown && tag === 'column' && findTag(tag) !== undefined;
  if (place.isUnknown && !isDroppedColumn) return;
  if (!TEXT_TAGS.has(tag)) {
    reportStrayText(context, tag, runs, subject, place);
    return;
  }
  const body = cleanBody(context, runs, subject);
  if (tag === 'button') {
    if (hasBracePair(body)) {
      report(context, element, subject, 'V003', `button ${braceFault('label').msg}`);
    }
    node.body = literal(body);
  } else if (place.isSpike) {
    node.body = literal(body);
  } else {
    const { template, error } = parseTemplate(body);
    if (error !== null) report(context, runs[0] ?? element, subject, 'V003', error);
    node.body = template;
  }
}

function cleanBody(context: CheckContext, runs: readonly TextRun[], subject: Subject): string {
  const body = normaliseBody(runs.map((run) => run.text).join(''));
  const cleaned = cleanText(body, { keepLf: true });
  if (cleaned === body) return body;
  const msg = 'control character or ANSI escape in text (stripped)';
  report(context, runs[0]!, subject, 'V007', msg);
  return normaliseBody(cleaned);
}

function reportStrayText(
  context: CheckContext,
  tag: string,
  runs: readonly TextRun[],
  subject: Subject,
  place: BodyPlace,
): void {
  const at = firstInk(runs);
  if (at === null) return;
  if (place.isTableItem) {
    const msg = "a table's <item> is the row template and takes no text";
    report(context, at, subject, 'V016', msg);
  } else if (tag === 'table' || tag === 'tabs') {
    const advice = tag === 'table' ? 'put it into a <column>' : 'put it into a <tab>';
    const msg = `text is not allowed directly inside <${tag}>; ${advice}`;
    report(context, at, subject, 'V016', msg);
  } else if (tag === 'sparkline' || tag === 'hints') {
    report(context, at, subject, 'V016', `<${tag}> takes no text`);
  } else {
    const msg = `text is not allowed directly inside <${tag}>; wrap it in <text>`;
    report(context, at, subject, 'V013', msg);
  }
}
