import { quote } from '../diagnostics/quote.ts';

/** Advice behind a message: free wording, kept in one place so that the same fault reads the same. */

/** For what can never take focus in a list row (U-032 row 9, U-040 rows 1 and 2). */
export function listHint(listId: string | null): string {
  const when = listId === null ? 'list:focus' : `#${listId}:focus`;
  return `let the list answer with on:select, or a keymap row with when="${when}"`;
}

/** For what an each template cannot hold (U-032 row 9, U-040 row 3, U-048). */
export const templateHint = 'a template holds only what is shown for each element';

/** How a message names an element: by id, else by place (U-032). */
export function describeNode(node: {
  readonly tag: string;
  readonly id: string | null;
  readonly line: number;
  readonly col: number;
}): string {
  if (node.id !== null) return `<${node.tag} id=${quote(node.id)}>`;
  return `<${node.tag}> at ${node.line}:${node.col}`;
}
