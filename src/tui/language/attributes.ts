import { quote } from '../diagnostics/quote.ts';
import type { Attribute, EventName, Version } from '../markup/types.ts';
import { listHint, templateHint } from './advice.ts';
import { attributeSince, EVENTS, SPIKE_ATTRIBUTES } from './catalog.ts';
import type { Surroundings } from './context.ts';

const FOCUS_ATTRIBUTES = new Set(['focusable', 'on:click', 'on:focus']);
/** These are refused as tags in a list row, so their attributes are not reported again. */
const REFUSED_IN_ROWS = new Set(['list', 'input', 'button', 'modal']);
const REFUSED_IN_TEMPLATES = new Set([...REFUSED_IN_ROWS, 'table', 'tabs', 'tab']);

/** What the presence check of an attribute looks at. */
export interface AttributePlace {
  readonly tag: string;
  readonly version: Version;
  readonly isSpike: boolean;
  /** An item of a table (v2+) has its own, shorter list. */
  readonly isTableItem: boolean;
  readonly around: Surroundings;
  /** For an `item` of a list: the list's id. */
  readonly ownListId: string | null;
}

/** Whether an attribute may stand here (U-040); all messages are `V002`. `null` when it may. */
export function attributeFault(attribute: Attribute, place: AttributePlace): string | null {
  const { name } = attribute;
  const { tag } = place;
  if (place.isSpike) {
    if (SPIKE_ATTRIBUTES.includes(name)) return null;
    const list = SPIKE_ATTRIBUTES.join(' ');
    return `unknown attribute ${quote(name)} on <${tag}> (phase-0 attributes: ${list})`;
  }
  const repeated = repeatedFault(name, place);
  if (repeated !== null) return repeated;
  const since = attributeSince(place.isTableItem ? 'item@table' : tag, name);
  if (since === null) {
    const event = name.startsWith('on:') ? name.slice(3) : null;
    if (event !== null && !EVENTS.includes(event as EventName)) {
      return `unknown event ${quote(name)} on <${tag}>`;
    }
    return `attribute ${quote(name)} is not allowed on <${tag}>`;
  }
  if (since > place.version) {
    return `attribute ${quote(name)} on <${tag}> (requires version="${since}")`;
  }
  if (/\p{Lu}/u.test(name)) {
    return `unknown attribute ${quote(name)} (attribute names are lowercase)`;
  }
  return null;
}

/** Rows 1 to 5: what a row or a template cannot carry. */
function repeatedFault(name: string, place: AttributePlace): string | null {
  const { tag, around, version } = place;
  if (FOCUS_ATTRIBUTES.has(name)) {
    if (tag === 'item' && !place.isTableItem) {
      const hint = listHint(place.ownListId);
      return `attribute ${quote(name)} is not allowed on a list <item>: ${hint}`;
    }
    if (around.listRow !== null && !REFUSED_IN_ROWS.has(tag)) {
      const hint = listHint(around.listRow.listId);
      return `attribute ${quote(name)} is not allowed inside a list <item> (on <${tag}>): ${hint}`;
    }
    if (around.template !== null && !REFUSED_IN_TEMPLATES.has(tag)) {
      const where = `(on <${tag}>, in ${around.template})`;
      return `attribute ${quote(name)} is not allowed inside an each template ${where}: ${templateHint}`;
    }
  }
  if (name === 'stick' && tag === 'scroll' && version >= 3) {
    const why = 'it needs one identity from frame to frame';
    if (around.listRow !== null) {
      return `attribute "stick" is not allowed inside a list <item>: ${why}`;
    }
    if (around.template !== null) {
      return `attribute "stick" is not allowed inside an each template (in ${around.template}): ${why}`;
    }
  }
  return null;
}
