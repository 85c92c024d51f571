import type { Cascade } from '../style/cascade.ts';
import { type Box, createBox } from './box.ts';
import { decideKey, pressOf } from './dispatch.ts';
import type { Inflating } from './inflating.ts';
import type { Scene } from './scene.ts';
import { styleBox } from './style-tree.ts';

/** Tokens that no terminal sends: they arrive as tab and enter (G-152). */
const NEVER_SENT = new Set(['ctrl+i', 'ctrl+j', 'ctrl+m']);

interface Hint {
  readonly keycap: string;
  readonly label: string;
}

/** Fills every `hints` of a frame from the key dispatch run on its tree (G-162, G-163). */
export function buildHints(frame: Inflating, cascade: Cascade, scene: Scene): void {
  const active = new Map<'active' | 'all', Hint[]>();
  for (const box of scene.boxes) {
    if (box.kind !== 'hints' || !box.source) continue;
    const { scope } = box.source;
    const hints = active.get(scope) ?? hintsOf(scene, scope);
    active.set(scope, hints);
    box.children = hints.map((hint) => makeItem(box, hint));
    for (const item of box.children) {
      styleBox(frame, cascade, item);
      for (const text of item.children) styleBox(frame, cascade, text);
    }
  }
}

function hintsOf(scene: Scene, scope: 'active' | 'all'): Hint[] {
  const hints: Hint[] = [];
  for (const row of scene.document.keymap) {
    const { label, keycap } = row;
    if (!label) continue;
    const key =
      scope === 'all'
        ? row.keys[0]
        : row.keys.find((token) => {
            if (NEVER_SENT.has(token)) return false;
            const decision = decideKey(scene, pressOf(token));
            return decision?.kind === 'row' && decision.row === row;
          });
    if (key !== undefined) hints.push({ keycap: keycap || key, label });
  }
  return hints;
}

function makeItem(hints: Box, { keycap, label }: Hint): Box {
  const { isDisabled } = hints;
  const row = createBox({
    role: 'hint',
    source: hints.source,
    tag: 'row',
    kind: 'row',
    parent: hints,
    isDisabled,
  });
  const text = (value: string, name: string) =>
    createBox({
      role: 'hint-text',
      source: hints.source,
      tag: 'text',
      kind: 'text',
      classes: [name],
      parent: row,
      isDisabled,
      text: value,
    });
  row.children = [text(keycap, 'hint-key'), text(label, 'hint-label')];
  return row;
}
