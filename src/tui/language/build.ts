import { quote } from '../diagnostics/quote.ts';
import type { Attribute, Element } from '../markup/types.ts';
import { hasBracePair } from '../template/parse.ts';
import { describeNode, templateHint } from './advice.ts';
import { type AttributePlace, attributeFault } from './attributes.ts';
import { type BodyPlace, readBody, refusesElements, reportChild } from './bodies.ts';
import {
  type CheckContext,
  type Draft,
  report,
  type Subject,
  type Surroundings,
} from './context.ts';
import { checkTag } from './tags.ts';
import { applyAttribute, braceFault, cleanAttribute } from './values.ts';

/** Containers that `each` repeats the children of (U-078). */
const EACH_CONTAINERS = new Set(['col', 'row', 'box']);

interface Walk {
  readonly parentTag: string | null;
  readonly parent: Draft | null;
  readonly parentPath: string;
  readonly around: Surroundings;
  /** Inside an unknown tag: everything is checked, nothing is kept (U-033). */
  readonly isDropped: boolean;
  /** Id of the enclosing list, for a row's own hint. */
  readonly listId: string | null;
}

/**
 * Check the elements of a document and build its tree (sections 4, 5 and 7 of the contract).
 *
 * @param isSpike the root is `<app>` (U-028)
 */
export function buildTree(context: CheckContext, root: Element, isSpike: boolean): Draft {
  const around = { listRow: null, template: null };
  const walk = {
    parentTag: null,
    parent: null,
    parentPath: '',
    around,
    isDropped: false,
    listId: null,
  };
  return visit(context, root, walk, isSpike)!;
}

/** Nesting is bounded by the scanner (256), so recursion is safe here. */
function visit(
  context: CheckContext,
  element: Element,
  walk: Walk,
  isSpike: boolean,
): Draft | null {
  const { tag } = element;
  const id = attributeOf(element, 'id');
  const subject: Subject = { path: pathOf(walk, tag), id };
  const isKnown = checkTag(context, element, walk.parentTag, subject, walk.around, isSpike);
  const isTableItem = tag === 'item' && walk.parentTag === 'table' && context.version >= 2;
  const isKept = isKnown && !walk.isDropped;
  // What is dropped is checked on a node that never joins the tree.
  const node = newDraft(element, subject);
  if (isKept) join(context, element, node, walk.parent);
  if (isKnown) {
    const place = {
      tag,
      version: context.version,
      isSpike,
      isTableItem,
      around: walk.around,
      ownListId: walk.listId,
    };
    readAttributes(context, element, node, subject, place);
    checkId(context, element, node.id, subject, walk.around);
  }
  const body: BodyPlace = { isSpike, isTableItem, isUnknown: !isKnown };
  readBody(context, element, node, subject, body);
  if (isKept) context.surroundings.set(node, walk.around);
  const inner: Walk = {
    parentTag: tag,
    parent: isKept ? node : null,
    parentPath: subject.path,
    around: surroundingsInside(element, node, walk, isTableItem),
    isDropped: !isKept,
    listId: tag === 'list' ? id : null,
  };
  for (const child of element.children) {
    if (child.kind !== 'element') continue;
    if (refusesElements(tag, body)) reportChild(context, tag, child, subject, body);
    else {
      const built = visit(context, child, inner, isSpike);
      if (built !== null) node.children.push(built);
    }
  }
  return isKept ? node : null;
}

function pathOf(walk: Walk, tag: string): string {
  if (walk.parentTag === null) return '/';
  return walk.parentPath === '/' ? `/${tag}` : `${walk.parentPath}/${tag}`;
}

/** Value of an attribute as written, `null` when absent or empty. */
export function attributeOf(element: Element, name: string): string | null {
  return element.attributes.find((attribute) => attribute.name === name)?.value || null;
}

function surroundingsInside(
  element: Element,
  node: Draft,
  walk: Walk,
  isTableItem: boolean,
): Surroundings {
  const { listRow, template } = walk.around;
  if (element.tag === 'item' && !isTableItem) return { listRow: { listId: walk.listId }, template };
  if (node.each !== null && EACH_CONTAINERS.has(element.tag)) {
    return { listRow, template: describeNode(node) };
  }
  return { listRow, template };
}

function readAttributes(
  context: CheckContext,
  element: Element,
  node: Draft,
  subject: Subject,
  place: AttributePlace,
): void {
  const { tag, version, isSpike } = place;
  const kept: Attribute[] = [];
  for (const raw of element.attributes) {
    const fault = attributeFault(raw, place);
    if (fault !== null) {
      report(context, raw, subject, 'V002', fault);
      if (raw.name === 'id') node.id = null;
      continue;
    }
    const { attribute, stripped } = cleanAttribute(raw);
    if (stripped) {
      const msg = 'control character or ANSI escape in text (stripped)';
      report(context, raw, subject, 'V007', msg);
    }
    kept.push(attribute);
    if (tag === 'bind' || tag === 'keymap') {
      // Keys, action, when and to are judged with the row, at another place (U-092).
      const isText = attribute.name === 'label' || attribute.name === 'keycap';
      if (isText && hasBracePair(attribute.value)) {
        report(context, raw, subject, 'V003', braceFault(attribute.name).msg);
      }
      continue;
    }
    const valuePlace = { tag, version, file: context.file, isSpike };
    for (const { code, msg } of applyAttribute(node, attribute, valuePlace)) {
      report(context, raw, subject, code ?? 'V003', msg);
    }
  }
  node.attributes = kept;
}

/** Ids are unique over the whole source, and pointless in a template (U-048). */
function checkId(
  context: CheckContext,
  element: Element,
  id: string | null,
  subject: Subject,
  around: Surroundings,
): void {
  if (id === null) return;
  const first = context.seenIds.get(id);
  if (first !== undefined) {
    const msg = `duplicate id ${quote(id)} (first defined at ${first.line}:${first.col})`;
    report(context, element, subject, 'V004', msg);
    return;
  }
  context.seenIds.set(id, element);
  if (around.template === null) return;
  const where = `inside an each template (${around.template})`;
  const msg = `id ${quote(id)} ${where} would repeat for every element: ${templateHint}`;
  report(context, element, subject, 'V004', msg);
}

function join(context: CheckContext, element: Element, node: Draft, parent: Draft | null): void {
  node.parent = parent;
  node.order = context.nodes.length;
  context.nodes.push(node);
  context.elements.set(node, element);
}

function newDraft(element: Element, subject: Subject): Draft {
  const { tag, line, col } = element;
  return {
    tag,
    kind: tag === 'app' ? 'col' : tag,
    line,
    col,
    path: subject.path,
    order: -1,
    parent: null,
    children: [],
    // Bad ids are kept, ids where none is allowed are not.
    id: subject.id,
    attributes: [],
    classes: [],
    classGuards: [],
    if: null,
    hidden: false,
    disabled: false,
    open: null,
    focusable: null,
    title: null,
    placeholder: null,
    body: null,
    label: null,
    short: null,
    mark: null,
    bind: null,
    each: null,
    key: null,
    checked: null,
    axis: tag === 'scroll' ? 'y' : tag === 'rule' ? 'x' : null,
    value: null,
    min: null,
    max: null,
    scope: 'active',
    priority: null,
    scale: null,
    stick: false,
    secret: false,
    focus: null,
    on: new Map(),
    presentational: [],
    inline: [],
  };
}
