import type { Element } from '../markup/types.ts';
import { listHint, templateHint } from './advice.ts';
import { findTag, SPIKE_TAGS } from './catalog.ts';
import { type CheckContext, report, type Subject, type Surroundings } from './context.ts';

/** Never useful inside a row or template: they take focus or keep state (U-032 row 9). */
const STATEFUL = new Set(['list', 'input', 'button', 'modal', 'table', 'tabs', 'tab']);

/**
 * Check a tag and its place (U-032).
 *
 * @param parentTag tag of the element around it, `null` for the root
 * @returns false when the element is dropped from the tree (U-033)
 */
export function checkTag(
  context: CheckContext,
  element: Element,
  parentTag: string | null,
  subject: Subject,
  around: Surroundings,
  isSpike: boolean,
): boolean {
  const { tag } = element;
  const unknown = isSpike ? spikeFault(tag, parentTag) : vocabularyFault(tag, context.version);
  if (unknown !== null) {
    report(context, element, subject, 'V001', unknown);
    // A nested <app> is misplaced rather than unknown.
    return isSpike && tag === 'app';
  }
  if (isSpike) return true;
  if (context.version >= 2 && parentTag === 'tabs' && tag !== 'tab') {
    const msg = `<tabs> children must be <tab> elements, got <${tag}>`;
    report(context, element, subject, 'V016', msg);
    return true;
  }
  const misplaced = placeFault(tag, parentTag, context.version);
  if (misplaced !== null) report(context, element, subject, misplaced.code, misplaced.msg);
  if (STATEFUL.has(tag)) {
    const msg = repeatedFault(tag, around);
    if (msg !== null) report(context, element, subject, 'V001', msg);
  }
  return true;
}

function spikeFault(tag: string, parentTag: string | null): string | null {
  if (tag === 'app' && parentTag !== null) return '<app> is only valid as the document root';
  if (SPIKE_TAGS.includes(tag)) return null;
  const syntax = syntaxFault(tag);
  if (syntax !== null) return syntax;
  if (findTag(tag) === undefined) return `unknown tag <${tag}>`;
  const list = SPIKE_TAGS.join(' ');
  return `<${tag}> is not in the phase-0 vocabulary (${list}); use a <tui> root for the full language`;
}

/** Rows 1 and 2, which hold for every root. */
function syntaxFault(tag: string): string | null {
  if (/\p{Lu}/u.test(tag)) return `unknown tag <${tag}> (tags are lowercase)`;
  if (tag.includes(':')) return `unknown tag <${tag}> (namespaces are not allowed)`;
  return null;
}

function vocabularyFault(tag: string, version: number): string | null {
  const syntax = syntaxFault(tag);
  if (syntax !== null) return syntax;
  if (tag === 'app') return '<app> is the phase-0 root alias; inside <tui> use <screen>';
  const entry = findTag(tag);
  if (entry === undefined) return `unknown tag <${tag}>`;
  return entry.since > version ? `tag <${tag}> (requires version="${entry.since}")` : null;
}

function placeFault(
  tag: string,
  parentTag: string | null,
  version: number,
): { readonly code: string; readonly msg: string } | null {
  const fault = (msg: string, code = 'V001') => ({ code, msg });
  switch (tag) {
    case 'tui':
      return parentTag === null ? null : fault('<tui> is only valid as the document root');
    case 'style':
    case 'keymap':
    case 'screen':
      return parentTag === 'tui' ? null : fault(`<${tag}> must be a direct child of <tui>`);
    case 'bind':
      return parentTag === 'keymap' ? null : fault('<bind> must be inside <keymap>');
    case 'item': {
      if (parentTag === 'list' || (version >= 2 && parentTag === 'table')) return null;
      const parents = version >= 2 ? '<list> or <table>' : '<list>';
      return fault(`<item> must be a direct child of ${parents}`);
    }
    case 'column':
      return parentTag === 'table'
        ? null
        : fault('<column> must be a direct child of <table>', 'V016');
    case 'tab':
      return parentTag === 'tabs' ? null : fault('<tab> must be a direct child of <tabs>', 'V016');
    case 'modal':
      return parentTag === 'screen'
        ? null
        : fault('<modal> must be a direct child of <screen> (and come last)', 'L004');
  }
  if (parentTag === 'tui') return fault(`<${tag}> must be inside a <screen>`);
  if (parentTag === 'keymap') return fault(`<keymap> children must be <bind>, got <${tag}>`);
  if (parentTag === 'list') return fault(`<list> children must be <item>, got <${tag}>`);
  if (parentTag === 'table' && version >= 2) {
    const allowed = '<column> elements and at most one <item> (the row template)';
    return fault(`<table> children must be ${allowed}, got <${tag}>`, 'V016');
  }
  return null;
}

function repeatedFault(tag: string, around: Surroundings): string | null {
  if (around.listRow !== null) {
    const hint = listHint(around.listRow.listId);
    return `<${tag}> inside a list <item> can never take focus: ${hint}`;
  }
  if (around.template !== null) {
    const what = `would repeat for every element and can never take focus or keep its state`;
    return `<${tag}> inside an each template (${around.template}) ${what}: ${templateHint}`;
  }
  return null;
}
