import type { Compound, Declaration, Pseudo, Rule, Selector, Sheet } from './types.ts';

/** What selectors look at. A modal's parent is its screen (G-014). */
export interface StyleNode {
  readonly kind: string;
  readonly id: string | null;
  readonly classes: readonly string[];
  readonly parent: StyleNode | null;
  readonly children: { readonly length: number };
  readonly text: string;
  readonly isFocused: boolean;
  readonly hasFocusWithin: boolean;
  readonly isSelected: boolean;
  readonly isChecked: boolean;
  readonly isDisabled: boolean;
  /** Presentational and inline declarations of the source element, when there is one. */
  readonly element: {
    /** Identity of the element in its document. */
    readonly order: number;
    readonly presentational: readonly Declaration[];
    readonly inline: readonly Declaration[];
  } | null;
}

/** One selector of one rule, with its place in the order of appearance (G-020). */
export interface Entry {
  readonly rule: Rule;
  readonly selector: Selector;
  readonly order: number;
  readonly isBuiltin: boolean;
}

/** Entries by what their subject names, so that a node looks only at those that may match. */
export interface RuleIndex {
  readonly byId: ReadonlyMap<string, readonly Entry[]>;
  readonly byClass: ReadonlyMap<string, readonly Entry[]>;
  readonly byType: ReadonlyMap<string, readonly Entry[]>;
  readonly others: readonly Entry[];
}

/**
 * Indexes the rules that apply to a frame.
 *
 * @param applies whether a rule's media condition holds
 */
export function indexRules(
  builtin: Sheet,
  sheets: readonly Sheet[],
  applies: (rule: Rule) => boolean,
): RuleIndex {
  const byId = new Map<string, Entry[]>();
  const byClass = new Map<string, Entry[]>();
  const byType = new Map<string, Entry[]>();
  const others: Entry[] = [];
  let order = 0;
  for (const sheet of [builtin, ...sheets]) {
    for (const rule of sheet.rules) {
      if (!applies(rule)) continue;
      for (const selector of rule.selectors) {
        const entry: Entry = { rule, selector, order: order++, isBuiltin: sheet === builtin };
        const { id, classes, type } = selector.compounds.at(-1)!;
        if (id !== null) push(byId, id, entry);
        else if (classes.length > 0) push(byClass, classes[0]!, entry);
        else if (type !== null) push(byType, type, entry);
        else others.push(entry);
      }
    }
  }
  return { byId, byClass, byType, others };
}

function push(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
}

/**
 * The matching entries of a node, one per rule (the selector of highest specificity, a later one on
 * a tie, G-021), in order of appearance.
 */
export function matchingEntries(index: RuleIndex, node: StyleNode): Entry[] {
  const found: Entry[] = [];
  const take = (entries: readonly Entry[] | undefined) => {
    if (!entries) return;
    for (const entry of entries) if (selectorMatches(entry.selector, node, true)) found.push(entry);
  };
  take(index.byType.get(node.kind));
  if (node.id !== null) take(index.byId.get(node.id));
  const names = node.classes.length > 1 ? new Set(node.classes) : node.classes;
  for (const name of names) take(index.byClass.get(name));
  take(index.others);
  if (found.length > 1) found.sort((a, b) => a.order - b.order);
  return bestPerRule(found);
}

/** @param entries in order of appearance, so that those of one rule stand together */
function bestPerRule(entries: Entry[]): Entry[] {
  if (entries.every((entry, i) => i === 0 || entry.rule !== entries[i - 1]!.rule)) return entries;
  const best: Entry[] = [];
  for (const entry of entries) {
    const other = best.at(-1);
    if (other?.rule !== entry.rule) best.push(entry);
    else if (entry.selector.specificity >= other.selector.specificity)
      best[best.length - 1] = entry;
  }
  return best;
}

/**
 * Whether a selector matches, walking from the subject to its parents (G-014).
 *
 * @param isOwnStyle the match serves the node's own style: a tab's never sees `:empty` or
 *   `:focus-within` (G-016)
 */
export function selectorMatches(selector: Selector, node: StyleNode, isOwnStyle = false): boolean {
  const { compounds } = selector;
  let at: StyleNode | null = node;
  for (let i = compounds.length - 1; i >= 0; i--) {
    if (at === null) return false;
    const isSubject = isOwnStyle && i === compounds.length - 1;
    if (!compoundMatches(compounds[i]!, at, isSubject)) return false;
    at = at.parent;
  }
  return true;
}

function compoundMatches(compound: Compound, node: StyleNode, isSubject: boolean): boolean {
  if (compound.type !== null && compound.type !== node.kind) return false;
  if (compound.id !== null && compound.id !== node.id) return false;
  for (const name of compound.classes) if (!node.classes.includes(name)) return false;
  for (const pseudo of compound.pseudos) {
    if (isSubject && node.kind === 'tab' && (pseudo === 'empty' || pseudo === 'focus-within'))
      return false;
    if (!pseudoHolds(pseudo, node)) return false;
  }
  return true;
}

/** Truth of a pseudo-class (G-015). */
export function pseudoHolds(pseudo: Pseudo, node: StyleNode): boolean {
  switch (pseudo) {
    case 'focus':
      return node.isFocused;
    case 'focus-within':
      return node.hasFocusWithin;
    case 'selected':
      return node.isSelected;
    case 'checked':
      return node.isChecked;
    case 'disabled':
      return node.isDisabled;
    case 'empty':
      return node.children.length === 0 && node.text === '';
  }
}
