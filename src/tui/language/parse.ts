import { quote } from '../diagnostics/quote.ts';
import type { Diagnostic } from '../diagnostics/types.ts';
import { originsOf, textRuns } from '../markup/body.ts';
import { MarkupError, scanMarkup } from '../markup/scan.ts';
import { decodeSource, normaliseSource } from '../markup/source.ts';
import type {
  DocNode,
  Element,
  MarkupFile,
  StyleElement,
  TuiDocument,
  Version,
} from '../markup/types.ts';
import { parseFlag } from '../template/paths.ts';
import type { Flag } from '../template/types.ts';
import { attributeOf, buildTree } from './build.ts';
import { type CheckContext, type Draft, report, written } from './context.ts';
import { readKeymap } from './keymap.ts';
import { checkStructure, collectTargets, isScreen } from './structure.ts';

const ROOT = { path: '/', id: null };

/** A document that could not be read at all: its only diagnostic is one V005 (U-010). */
function brokenDocument(file: string, diagnostic: Diagnostic): TuiDocument {
  return {
    file,
    version: 1,
    isSpike: false,
    root: null,
    screens: [],
    theme: null,
    mouse: false,
    keymap: [],
    styles: [],
    ids: new Map(),
    diagnostics: [diagnostic],
  };
}

/**
 * Read the markup of a document.
 *
 * @returns the markup, or the one V005 that stops it (U-010, U-011)
 */
export function readMarkup(
  bytes: Uint8Array,
  file: string,
): { readonly markup: MarkupFile } | { readonly fault: Diagnostic } {
  const fault = (msg: string, line: number, col: number): { fault: Diagnostic } => ({
    fault: { severity: 'error', code: 'V005', msg, file, line, col, path: '', id: '' },
  });
  const text = decodeSource(bytes);
  if (text === null) return fault('document is not valid UTF-8', 1, 1);
  try {
    return { markup: scanMarkup(normaliseSource(text)) };
  } catch (error) {
    if (!(error instanceof MarkupError)) throw error;
    return fault(error.message, error.position.line, error.position.col);
  }
}

/**
 * Parse and check a document: sections 2 to 7, 9 and 10 of the language contract. Never throws for
 * what the bytes hold; every problem is a diagnostic with a position.
 *
 * @param file base name for diagnostics, `''` without one
 */
export function parseDocument(bytes: Uint8Array, file: string): TuiDocument {
  const read = readMarkup(bytes, file);
  if ('fault' in read) return brokenDocument(file, read.fault);
  const { root } = read.markup;
  const diagnostics: Diagnostic[] = [];
  if (root.tag !== 'tui' && root.tag !== 'app') {
    const wanted = 'document root must be <tui> (or the phase-0 alias <app>)';
    report({ file, diagnostics }, root, ROOT, 'V005', `${wanted}, got <${root.tag}>`);
    return brokenDocument(file, diagnostics[0]!);
  }
  const isSpike = root.tag === 'app';
  const version = isSpike ? 1 : readVersion(root, file, diagnostics);
  const context: CheckContext = {
    file,
    version,
    diagnostics,
    seenIds: new Map(),
    nodes: [],
    surroundings: new Map(),
    elements: new Map(),
    targets: new Map(),
  };
  const tree = buildTree(context, root, isSpike);
  collectTargets(context);
  if (!isSpike) checkStructure(context);
  const keymap = isSpike ? [] : readKeymap(context);
  const screens = isSpike ? [tree] : tree.children.filter((node) => isScreen(node));
  if (screens.length === 0) report(context, root, ROOT, 'V005', 'document has no <screen>');
  const theme = readTheme(context, tree);
  const mouse = readMouse(context, tree);
  const styles = readStyles(context);
  return {
    file,
    version,
    isSpike,
    root: tree as DocNode,
    screens,
    theme,
    mouse,
    keymap,
    styles,
    ids: firstById(context.nodes),
    diagnostics: sortByPosition(diagnostics),
  };
}

/** The document's version; whatever is wrong with it, the document is read as v1 (U-022). */
function readVersion(root: Element, file: string, diagnostics: Diagnostic[]): Version {
  const attribute = root.attributes.find(({ name }) => name === 'version');
  const context = { file, diagnostics };
  const subject = { path: '/', id: attributeOf(root, 'id') };
  if (attribute === undefined) {
    const msg = '<tui> needs version="1" (or version="2")';
    report(context, root, subject, 'V014', msg);
    return 1;
  }
  const { value } = attribute;
  if (value === '1' || value === '2' || value === '3') return Number(value) as Version;
  const msg = `${written('version', value)}: want "1", "2", or "3"`;
  const tail = '(the document is read as version="1")';
  report(context, attribute, subject, 'V003', `${msg} ${tail}`);
  return 1;
}

/** `tui@theme` (U-042). */
function readTheme(context: CheckContext, root: Draft): TuiDocument['theme'] {
  const attribute = root.attributes.find(({ name }) => name === 'theme');
  if (attribute === undefined || root.tag !== 'tui') return null;
  const { value } = attribute;
  if (value === 'dark' || value === 'light') return value;
  if (value === 'auto' && context.version >= 2) return 'auto';
  const more = context.version >= 2 ? '; or auto' : '';
  const msg =
    value === 'auto'
      ? 'theme="auto" (requires version="2")'
      : `unknown theme ${quote(value)} (built-in: dark, light${more})`;
  report(context, attribute, root, 'V003', msg);
  return null;
}

/** `tui@mouse` (v2). */
function readMouse(context: CheckContext, root: Draft): Flag {
  const attribute = root.attributes.find(({ name }) => name === 'mouse');
  if (attribute === undefined || root.tag !== 'tui') return false;
  const flag = parseFlag(attribute.value);
  if (flag !== null) return flag;
  const msg = `${written('mouse', attribute.value)}: want true, false, a path, or !path`;
  report(context, attribute, root, 'V003', msg);
  return false;
}

/** Stylesheets in document order, wherever they stand under the root (U-030, U-036). */
function readStyles(context: CheckContext): StyleElement[] {
  const styles: StyleElement[] = [];
  for (const node of context.nodes) {
    if (node.tag !== 'style' || node.parent?.tag !== 'tui') continue;
    const runs = textRuns(context.elements.get(node)!);
    const body = runs.map((run) => run.text).join('');
    const src = node.attributes.find(({ name }) => name === 'src')?.value || null;
    if (src !== null && body.trim() !== '') {
      const msg = '<style> takes either src or an inline body, not both';
      report(context, node, node, 'V013', msg);
    }
    const { line, col } = node;
    if (src !== null) styles.push({ src, body: '', origins: [], line, col });
    else styles.push({ src, body, origins: originsOf(runs), line, col });
  }
  return styles;
}

function firstById(nodes: readonly Draft[]): Map<string, DocNode> {
  const ids = new Map<string, DocNode>();
  for (const node of nodes) if (node.id !== null && !ids.has(node.id)) ids.set(node.id, node);
  return ids;
}

/** A parse result is sorted by place alone, stable (U-120). */
function sortByPosition(diagnostics: Diagnostic[]): Diagnostic[] {
  return diagnostics.sort((a, b) => a.line - b.line || a.col - b.col);
}
