export { parseDeclaration } from './declaration.ts';
export { parseSelector, selectorIds } from './selector.ts';
export { parseSheet } from './sheet.ts';
export { staticDockConflicts, unknownTokens } from './static-checks.ts';
export { tokenTable } from './tokens.ts';
export type { Declaration, Selector, Sheet, Theme } from './types.ts';
