import { parseSheet } from './sheet.ts';

/**
 * The built-in sheet (G-030). `inspect` reports positions in it, so the first line is empty and
 * every rule has its own; the columns follow from the text.
 */
const SOURCE = `
screen { layout: column; width: 100%; height: 100%; }
col    { layout: column; width: 1fr; height: 1fr; }
row    { layout: row;    width: 1fr; height: 1fr; }
box    { layout: column; }
text   { width: auto; height: auto; }
scroll { layout: column; }
list   { layout: column; }
item   { layout: column; }
modal  { layout: column; border: single; }
spacer { flex: 1; }
input, button, progress, rule { width: auto; height: auto; }
list > item:selected { reverse: true; }
table  { layout: column; wrap: truncate; }
table > item:selected { reverse: true; }
tabs   { layout: column; }
tab    { layout: column; }
sparkline { width: auto; height: auto; }
hints  { layout: row; gap: 2; }
hints > row { gap: 1; }
`;

/** Exempt from the version gate (U-025), hence read as version 3. */
export const BUILTIN_SHEET = parseSheet({ source: SOURCE, file: '<ua>', version: 3 }).sheet;
