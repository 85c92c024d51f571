import { isOk } from '../diagnostics/order.ts';
import { dumpCell, dumpNode } from '../dump/dump.ts';
import type { Box } from '../frame/box.ts';
import type { Frame } from '../frame/frame.ts';
import { hitBox } from '../frame/hit.ts';
import type { DocNode } from '../markup/types.ts';
import { BUILTIN_SHEET } from '../style/builtin-sheet.ts';
import type { Candidate } from '../style/cascade.ts';
import { type Explained, explainStyle } from '../style/explain.ts';
import type { StyleNode } from '../style/match.ts';

export type InspectQuery =
  | { readonly at: { readonly x: number; readonly y: number } }
  | { readonly id: string };

/** A declaration's rule (G-192). */
export type InspectRule = {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly selector: string;
  readonly specificity: number;
  readonly media: string | undefined;
};

/** What `inspect` says about one node, members in contract order (G-188). */
export type InspectReport = {
  readonly cols: number;
  readonly rows: number;
  readonly ok: boolean;
  readonly node: ReturnType<typeof dumpNode>;
  readonly path: string;
  readonly cell: ReturnType<typeof dumpCell> | undefined;
  readonly pseudo: readonly string[];
  readonly classes: readonly InspectClass[];
  readonly style: readonly InspectProperty[];
};

export type InspectClass = {
  readonly name: string;
  readonly from: string;
  readonly guard: string | undefined;
  readonly active: boolean;
  readonly used: boolean;
};

export type InspectProperty = {
  readonly prop: string;
  readonly value: string | null;
  readonly origin: string;
  readonly rule: InspectRule | undefined;
  readonly overridden: readonly {
    readonly value: string;
    readonly origin: string;
    readonly rule: InspectRule;
  }[];
};

/** Explains one node of a frame (G-187…G-193); errors carry no program prefix. */
export function inspectFrame(
  frame: Frame,
  query: InspectQuery,
): { report: InspectReport } | { error: string } {
  const found = findNode(frame, query);
  if (typeof found === 'string') return { error: found };
  const { version } = frame.document;
  const { cols, rows } = frame;
  const report: InspectReport = {
    cols,
    rows,
    ok: isOk(frame.diagnostics),
    node: dumpNode(frame, found),
    path: pathOf(frame, found),
    cell: 'at' in query ? dumpCell(frame, query.at.x, query.at.y) : undefined,
    pseudo: pseudoOf(found, version),
    classes: classesOf(frame, found),
    style: explainStyle(frame.cascade, asStyled(found), found.style, version).map((property) =>
      propertyOf(found, property),
    ),
  };
  return { report };
}

function findNode(frame: Frame, query: InspectQuery): Box | string {
  if ('id' in query) {
    if (query.id === '') return '--id wants an id';
    const box = frame.scene.boxes.find((candidate) => candidate.id === query.id);
    return box ?? `--id ${query.id}: no laid-out node has that id`;
  }
  const { x, y } = query.at;
  if (x < 0 || y < 0 || x >= frame.cols || y >= frame.rows) {
    return `--at ${x},${y} is outside the ${frame.cols}x${frame.rows} grid`;
  }
  return hitBox(frame, x, y)?.box ?? 'the frame has no node to inspect';
}

/** The node as it was when its own style was computed: `:empty` as it held then (G-016). */
function asStyled(box: Box): StyleNode {
  const isEmpty = box.wasEmpty;
  return {
    kind: box.kind,
    id: box.id,
    classes: box.classes,
    parent: box.parent,
    children: { length: isEmpty ? 0 : 1 },
    text: '',
    isFocused: box.isFocused,
    hasFocusWithin: box.hasFocusWithin,
    isSelected: box.isSelected,
    isChecked: box.isChecked,
    isDisabled: box.isDisabled,
    element: box.element,
  };
}

/** Segments from the screen down; a modal's path goes through its screen (G-189). */
function pathOf(frame: Frame, box: Box): string {
  const segments: string[] = [];
  for (let at: Box | null = box; at !== null; at = at.parent)
    segments.unshift(segmentOf(frame, at));
  return `/${segments.join('/')}`;
}

function segmentOf(frame: Frame, box: Box): string {
  if (box.id !== null) return `${box.tag}#${box.id}`;
  const siblings = frame.scene.modals.includes(box)
    ? frame.scene.modals
    : (box.parent?.children ?? []);
  const same = siblings.filter((sibling) => sibling.tag === box.tag);
  return same.length > 1 ? `${box.tag}[${same.indexOf(box)}]` : box.tag;
}

function pseudoOf(box: Box, version: number): string[] {
  const states: [string, boolean][] = [
    ['focus', box.isFocused],
    ['focus-within', version >= 2 && box.hasFocusWithin],
    ['selected', box.isSelected],
    ['checked', version >= 2 && box.isChecked],
    ['disabled', box.isDisabled],
    ['empty', box.wasEmpty],
  ];
  return states.filter(([, holds]) => holds).map(([name]) => name);
}

/** Class names, then guards, and whether any selector names them (G-191). */
function classesOf(frame: Frame, box: Box): InspectClass[] {
  const named = namedClasses(frame);
  const isUsed = (name: string) => named.has(name);
  const node = classSource(box);
  if (!node) {
    return box.classes.map((name) => {
      return { name, from: 'generated', guard: undefined, active: true, used: isUsed(name) };
    });
  }
  const entries: InspectClass[] = node.classes.map((name) => {
    return { name, from: 'class', guard: undefined, active: true, used: isUsed(name) };
  });
  for (const { name, guard } of node.classGuards) {
    const active = box.activeGuards.includes(name);
    entries.push({ name, from: `class:${name}`, guard: guard.source, active, used: isUsed(name) });
  }
  return entries;
}

/** The element whose classes a box reports: a table cell has its column's, a row its template's. */
function classSource(box: Box): DocNode | null {
  if (box.role === 'element' || box.role === 'table-cell') return box.source;
  if (box.role === 'table-row' && box.source?.kind === 'item') return box.source;
  return null;
}

function namedClasses(frame: Frame): Set<string> {
  const names = new Set<string>();
  for (const sheet of [BUILTIN_SHEET, ...frame.sheets]) {
    for (const { selectors } of sheet.rules) {
      for (const { compounds } of selectors) {
        for (const { classes } of compounds) for (const name of classes) names.add(name);
      }
    }
  }
  return names;
}

function propertyOf(box: Box, explained: Explained): InspectProperty {
  const { property, value, origin, winner, overridden } = explained;
  return {
    prop: property,
    value,
    origin,
    rule: winner ? ruleOf(box, winner) : undefined,
    overridden: overridden.map((candidate) => ({
      value: candidate.declaration.text,
      origin: candidate.origin,
      rule: ruleOf(box, candidate),
    })),
  };
}

/** Specificity reported for `style=""` (G-017). */
const INLINE_SPECIFICITY = 1000;

function ruleOf(box: Box, { declaration, origin, entry }: Candidate): InspectRule {
  const { file, line, col } = declaration;
  if (entry) {
    const { selectorText: selector, media } = entry.rule;
    const { specificity } = entry.selector;
    return { file, line, col, selector, specificity, media: media?.text };
  }
  if (origin === 'inline') {
    return {
      file,
      line,
      col,
      selector: 'style=""',
      specificity: INLINE_SPECIFICITY,
      media: undefined,
    };
  }
  const attribute = box.element?.attributes.find((a) => a.line === line && a.col === col);
  const selector = attribute ? `${attribute.name}="${attribute.value}"` : declaration.property;
  return { file, line, col, selector, specificity: 0, media: undefined };
}
