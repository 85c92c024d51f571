import type { Diagnostic } from '../diagnostics/types.ts';
import type { DocNode, TuiDocument } from '../markup/types.ts';
import { computeStyle, createCascade, unknownToken } from './cascade.ts';
import type { ComputedStyle } from './computed.ts';
import { dockConflict } from './dock-conflict.ts';
import type { StyleNode } from './match.ts';
import type { MediaContext } from './media.ts';
import { COLOR_PROPERTIES } from './properties.ts';
import { builtinTokens } from './tokens.ts';
import type { Declaration, Sheet, Theme } from './types.ts';

/**
 * Colour declarations that name a token which no theme and no `:root` rule defines (G-035, U-116),
 * in every author rule and every `style=""`, rendered or not.
 */
export function unknownTokens(
  document: TuiDocument,
  sheets: readonly Sheet[],
  theme: Theme,
): Diagnostic[] {
  const known = new Set(builtinTokens(theme).keys());
  for (const { tokens, media } of sheets.flatMap((sheet) => sheet.rules)) {
    if (media?.feature === 'theme' && media.value !== theme) continue;
    for (const { name } of tokens) known.add(name);
  }
  const problems: Diagnostic[] = [];
  const check = (declarations: readonly Declaration[]) => {
    for (const declaration of declarations) {
      if (!COLOR_PROPERTIES.has(declaration.property)) continue;
      const value = declaration.value as { token?: string };
      if (value.token !== undefined && !known.has(value.token))
        problems.push(unknownToken(declaration));
    }
  };
  for (const sheet of sheets) for (const rule of sheet.rules) check(rule.declarations);
  const visit = (node: DocNode) => {
    check(node.inline);
    for (const child of node.children) visit(child);
  };
  if (document.root) visit(document.root);
  return problems;
}

/** Kinds whose children's docks are ignored (U-128). */
const IGNORES_DOCKS = new Set(['table', 'tabs', 'hints']);

/**
 * Docks that also ask for a share of the same axis, anywhere in the document (U-128): no pseudo-class
 * holds and no class guard adds anything.
 */
export function staticDockConflicts(
  document: TuiDocument,
  sheets: readonly Sheet[],
  frame: MediaContext,
): Diagnostic[] {
  if (document.isSpike) return [];
  const cascade = createCascade(sheets, frame);
  const problems: Diagnostic[] = [];
  const visit = (node: DocNode, parent: StyleNode | null, parentStyle: ComputedStyle | null) => {
    const plain = plainNode(node, parent);
    const { style } = computeStyle(cascade, plain, parentStyle);
    if (parent && parentStyle && node.kind !== 'modal' && !IGNORES_DOCKS.has(parent.kind)) {
      const msg = dockConflict(style, parent.kind, parentStyle);
      if (msg !== null) problems.push(conflictAt(document, node, msg));
    }
    for (const child of node.children) visit(child, plain, style);
  };
  for (const screen of document.screens) visit(screen, null, null);
  return problems;
}

function plainNode(node: DocNode, parent: StyleNode | null): StyleNode {
  return {
    kind: node.kind,
    id: node.id,
    classes: node.classes,
    parent,
    // No pseudo-class holds, `:empty` included.
    children: { length: 1 },
    text: '',
    isFocused: false,
    hasFocusWithin: false,
    isSelected: false,
    isChecked: false,
    isDisabled: false,
    element: node,
  };
}

function conflictAt(document: TuiDocument, node: DocNode, msg: string): Diagnostic {
  const { line, col, path } = node;
  const { file } = document;
  return { severity: 'error', code: 'V010', msg, file, line, col, path, id: node.id ?? '' };
}
