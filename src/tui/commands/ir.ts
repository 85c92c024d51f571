import { dedupeDiagnostics, isOk, sortDiagnostics } from '../diagnostics/order.ts';
import { diagnosticLines } from '../diagnostics/print.ts';
import type { Files } from '../files/types.ts';
import { compareBytes } from '../json/bytes.ts';
import { type Printable, printJson } from '../json/print.ts';
import type { LoadedDocument } from '../language/load.ts';
import { dedent } from '../markup/format.ts';
import type { DocNode, KeyRow, StyleElement, TuiDocument } from '../markup/types.ts';
import { tokenTable, unknownTokens } from '../style/index.ts';
import { parseFlags } from './flags.ts';
import { oneFile, readDocument } from './options.ts';
import type { ToolResult } from './result.ts';

/** Attributes that have a member of their own, or belong to `style` (U-165). */
const OWN_MEMBERS = new Set(
  'id class bind each if style width height gap pad border wrap'.split(' '),
);

/** `ir FILE` (U-162). */
export async function runIr(words: readonly string[], files: Files): Promise<ToolResult> {
  const flags = parseFlags('ir', words);
  const loaded = await readDocument(files, oneFile('ir', flags));
  const { document, sheets } = loaded;
  const theme = document.theme === 'light' ? 'light' : 'dark';
  const found = [...loaded.diagnostics, ...unknownTokens(document, sheets, theme)];
  if (!isOk(found)) {
    const stderr = diagnosticLines(sortDiagnostics(dedupeDiagnostics(found)));
    return { stdout: '', stderr, exitCode: 2 };
  }
  return { stdout: printJson(describe(loaded, theme)), stderr: '', exitCode: 0 };
}

/** The document before the cascade (U-163). */
function describe({ document, sheets }: LoadedDocument, theme: 'dark' | 'light'): Printable {
  const root = document.root!;
  const screen = document.screens[0]!;
  const mouse = written(root, 'mouse');
  const tokens = [...tokenTable(sheets, { theme })].sort((a, b) => compareBytes(a[0], b[0]));
  const bodies = new Map(document.styles.map((style) => [placeKey(style), style]));
  return {
    version: `0.${document.version}`,
    app: {
      title: document.isSpike ? '' : (written(screen, 'title') ?? ''),
      theme: written(root, 'theme') ?? '',
      focus: document.isSpike ? '' : (written(screen, 'focus') ?? ''),
      mouse: mouse || undefined,
    },
    stylesheets: document.styles.flatMap(({ src }) => (src === null ? [] : [src])),
    tokens: new Map(tokens),
    keymap: document.keymap.map(describeRow),
    root: describeNode(root, bodies),
  };
}

function describeRow(row: KeyRow): Printable {
  return {
    keys: row.keysText,
    action: row.action,
    when: row.whenText || undefined,
    to: row.to === null ? undefined : `#${row.to}`,
    label: row.label ?? undefined,
    keycap: row.keycap ?? undefined,
  };
}

/** Nesting is bounded by the scanner (256), so recursion is safe. */
function describeNode(node: DocNode, bodies: ReadonlyMap<string, StyleElement>): Printable {
  const attributes = node.attributes.filter(
    ({ name }) => !OWN_MEMBERS.has(name) && !name.startsWith('on:'),
  );
  const sheet = node.tag === 'style' ? bodies.get(placeKey(node)) : undefined;
  return {
    id: node.id ?? undefined,
    kind: node.kind,
    classes: [...node.classes],
    attrs: sortedMap(attributes.map(({ name, value }) => [name, value])),
    bind: node.bind?.source ?? '',
    each: node.each?.source ?? '',
    if: node.if?.source ?? '',
    on: sortedMap([...node.on]),
    style: sortedMap(
      [...node.presentational, ...node.inline].map(({ property, text }) => [property, text]),
    ),
    text: sheet === undefined ? (node.body?.source ?? '') : dedent(sheet.body).join('\n'),
    children: node.children.map((child) => describeNode(child, bodies)),
  };
}

function placeKey({ line, col }: { line: number; col: number }): string {
  return `${line}:${col}`;
}

/** Sorted by name; of several with one name the last wins (inline after presentational, U-165). */
function sortedMap(pairs: readonly (readonly [string, string])[]): Map<string, string> {
  return new Map([...new Map(pairs)].sort((a, b) => compareBytes(a[0], b[0])));
}

function written(node: TuiDocument['root'], name: string): string | null {
  return node?.attributes.find((attribute) => attribute.name === name)?.value ?? null;
}
