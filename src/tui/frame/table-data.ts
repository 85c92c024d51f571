import { type AliasFrame, resolvePath, type Scope } from '../data/scope.ts';
import type { JsonValue } from '../data/value.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Diagnostic } from '../diagnostics/types.ts';
import type { DocNode } from '../markup/types.ts';
import { expandTemplate, guardHolds } from '../template/expand.ts';
import type { ClassGuard, Path } from '../template/types.ts';
import { widestLine } from '../text/lines.ts';
import type { Box, TableData } from './box.ts';
import { expand, type Inflating } from './inflating.ts';
import { reportBind, reportMissing } from './report.ts';
import { readElements, readKey, readRows } from './rows.ts';
import type { TableWork } from './table-cache.ts';

/**
 * Reads the rows of a table (G-075, G-231): keys, cursor, checked keys, and functions that resolve
 * single cells. Every row is looked at for missing paths, visible or not.
 */
export function readTable(frame: Inflating, node: DocNode, box: Box, scope: Scope): TableData {
  // One scope for all rows: it is used up before the next row is looked at, and rows are many.
  const alias: { -readonly [Member in keyof AliasFrame]: AliasFrame[Member] } = {
    name: node.each?.alias ?? '',
    value: null,
    outer: scope.alias,
  };
  const rowScope: Scope = { store: scope.store, alias };
  const scopes = (value: JsonValue): Scope => {
    alias.value = value;
    return rowScope;
  };
  const work = workOut(frame, node, box, scope, scopes);
  const { elements, keys, widths } = work;
  const rows = readRows(frame, node, box, keys, scope);
  const template = node.children.find((child) => child.kind === 'item') ?? null;
  const ignoreMissing = () => {};
  const cellText = (row: number, column: DocNode) =>
    column.body ? expandTemplate(column.body, scopes(elements[row]!), ignoreMissing) : '';
  return {
    ...rows,
    elements,
    cellText,
    rowGuards: (row) => (template ? heldOn(template, scopes(elements[row]!)) : []),
    cellGuards: (row, column) => heldOn(column, scopes(elements[row]!)),
    measure: (column, title) => {
      let widest = widths.get(column.order);
      if (widest === undefined) {
        widest = 0;
        for (let row = 0; row < elements.length; row++) {
          widest = Math.max(widest, widestLine(cellText(row, column)));
        }
        widths.set(column.order, widest);
      }
      return Math.max(widest, widestLine(title));
    },
    placeholder: node.placeholder ? expand(frame, node, node.placeholder, scope) : null,
    shown: [],
    headerRows: 0,
  };
}

/** Guards that hold on one row; their missing paths are reported once for all rows. */
function heldOn(node: DocNode, scope: Scope): string[] {
  return node.classGuards
    .filter(({ guard }) => guardHolds(guard, scope).holds)
    .map(({ name }) => name);
}

function workOut(
  frame: Inflating,
  node: DocNode,
  box: Box,
  scope: Scope,
  scopes: (value: JsonValue) => Scope,
): TableWork {
  const { report, state, tables } = frame;
  const known = tables.get(node.order);
  if (known && box.isAddressable && known.storeVersion === state.storeVersion) {
    report.bind.push(...known.findings);
    return known;
  }
  const before = report.bind.length;
  const elements = node.each ? readElements(frame, node, scope) : [];
  const keys = elements.map((value, i) => readKey(frame, node, i, scopes(value), 'table'));
  reportMissingPaths(frame, node, elements, scopes);
  const findings: Diagnostic[] = report.bind.slice(before);
  const { storeVersion } = state;
  const work = { storeVersion, elements, keys, findings, widths: new Map() };
  if (box.isAddressable) tables.set(node.order, work);
  return work;
}

interface Probe {
  readonly path: Path;
  readonly report: () => void;
}

/** Each missing path once per template, whatever the offset (G-231). */
function reportMissingPaths(
  frame: Inflating,
  node: DocNode,
  elements: readonly JsonValue[],
  scopes: (value: JsonValue) => Scope,
): void {
  let probes = node.children.flatMap((child) => probesOf(frame, child));
  for (let row = 0; row < elements.length && probes.length > 0; row++) {
    const scope = scopes(elements[row]!);
    const isMissing = ({ path }: Probe) => resolvePath(path, scope) === undefined;
    if (!probes.some(isMissing)) continue;
    for (const probe of probes) if (isMissing(probe)) probe.report();
    probes = probes.filter((probe) => !isMissing(probe));
  }
}

function probesOf(frame: Inflating, node: DocNode): Probe[] {
  const paths = (node.body?.parts ?? []).filter((part): part is Path => typeof part !== 'string');
  return [
    ...paths.map((path) => ({ path, report: () => reportMissing(frame.report, node, path) })),
    ...node.classGuards.map(({ name, guard }: ClassGuard) => ({
      path: guard.path,
      report: () => {
        const where = `class:${name}=${quote(guard.source)}`;
        const msg = `${where}: path ${quote(guard.path.source)} is missing`;
        reportBind(frame.report, node, 'B002', msg);
      },
    })),
  ];
}
