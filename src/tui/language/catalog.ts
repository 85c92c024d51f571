import type { EventName, Version } from '../markup/types.ts';

/** What an element may hold (U-029). */
export type Content = 'structure' | 'rendered' | 'text' | 'nothing';

/** One row of the tag catalog (U-029). */
export interface TagEntry {
  readonly tag: string;
  readonly since: Version;
  readonly role: string;
  readonly content: Content;
  readonly group: 'document' | 'containers' | 'widgets' | 'layers';
}

/** The closed vocabulary, in the order of the contract (U-029). */
export const TAGS: readonly TagEntry[] = [
  entry('tui', 1, 'root: `style`, `keymap`, `screen`', 'structure', 'document'),
  entry('style', 1, 'stylesheet: TCSS text, or `src`', 'text', 'document'),
  entry('keymap', 1, 'key table: `bind` only', 'structure', 'document'),
  entry('bind', 1, 'one row of the key table', 'nothing', 'document'),
  entry('screen', 1, 'the terminal surface; modals come last', 'rendered', 'document'),
  entry('col', 1, 'children stacked', 'rendered', 'containers'),
  entry('row', 1, 'children side by side', 'rendered', 'containers'),
  entry('box', 1, 'children stacked, sized by content', 'rendered', 'containers'),
  entry('scroll', 1, 'viewport that clips and scrolls', 'rendered', 'containers'),
  entry('spacer', 1, 'takes free space', 'nothing', 'widgets'),
  entry('text', 1, 'text with `{path}`', 'text', 'widgets'),
  entry('rule', 1, 'one-cell line', 'nothing', 'widgets'),
  entry('list', 1, 'focusable list with a cursor: `item` only', 'structure', 'widgets'),
  entry('item', 1, 'row of a list; row template of a table', 'rendered', 'widgets'),
  entry('input', 1, 'single-line field', 'nothing', 'widgets'),
  entry('button', 1, 'focusable action, labelled by its text', 'text', 'widgets'),
  entry('progress', 1, 'bar from 0 to 100', 'nothing', 'widgets'),
  entry('modal', 1, 'layer over the screen', 'rendered', 'layers'),
  entry('table', 2, 'array rows in columns: `column`s, one `item`', 'structure', 'widgets'),
  entry('column', 2, 'table column, its text is the cell template', 'text', 'widgets'),
  entry('tabs', 2, 'tab strip: `tab` only', 'structure', 'containers'),
  entry('tab', 2, 'one tab', 'rendered', 'containers'),
  entry('sparkline', 2, 'bar chart of an array', 'nothing', 'widgets'),
  entry('hints', 2, 'key hints from the keymap', 'nothing', 'widgets'),
];

/** The vocabulary of the `<app>` root (U-028). */
export const SPIKE_TAGS: readonly string[] = ['app', 'col', 'row', 'box', 'text'];
export const SPIKE_ATTRIBUTES: readonly string[] = [
  'id',
  'class',
  'width',
  'height',
  'gap',
  'pad',
  'border',
];

export const EVENTS: readonly EventName[] = [
  'click',
  'select',
  'submit',
  'change',
  'escape',
  'focus',
  'open',
  'close',
];

/** The common set C (U-038). */
export const COMMON =
  'id class title hidden disabled focusable if style width height gap pad border on:click on:focus';
const ITEM_COMMON = without(COMMON, ['focusable', 'on:click', 'on:focus']);

/** Attributes of one tag by the version that added them (U-039). */
export interface AttributeRow {
  readonly tag: string;
  readonly byVersion: readonly [string, string, string];
}

/** `class:NAME` stands for every class guard. `item@table` is an item of a table. */
export const ATTRIBUTES: readonly AttributeRow[] = [
  row('tui', 'version theme', 'mouse', ''),
  row('style', 'src', '', ''),
  row('keymap', '', '', 'when'),
  row('bind', 'keys action when to', 'label keycap', ''),
  row('screen', 'id class focus title style', 'class:NAME', ''),
  row('col', COMMON, 'each key class:NAME', ''),
  row('row', COMMON, 'each key class:NAME', ''),
  row('box', COMMON, 'each key class:NAME', ''),
  row('item', ITEM_COMMON, 'class:NAME', ''),
  row('item@table', '', 'class class:NAME', ''),
  row('spacer', COMMON, 'class:NAME', ''),
  row('scroll', `${COMMON} axis`, 'class:NAME', 'stick'),
  row('text', `${COMMON} wrap`, 'class:NAME', ''),
  row('rule', `${COMMON} axis`, 'class:NAME', ''),
  row('list', `${COMMON} each key bind on:select`, 'checked mark on:change class:NAME', ''),
  row('input', `${COMMON} bind placeholder secret on:submit on:change`, 'class:NAME', ''),
  row('button', `${COMMON} label`, 'class:NAME', ''),
  row('progress', `${COMMON} bind value`, 'class:NAME', ''),
  row('modal', `${COMMON} open bind on:escape on:open on:close`, 'class:NAME', 'focus'),
  row(
    'table',
    '',
    `${COMMON} each key bind checked mark placeholder on:select on:change class:NAME`,
    '',
  ),
  row('column', '', 'id class title width style on:click class:NAME', 'priority'),
  row('tabs', '', `${COMMON} bind mark on:select class:NAME`, ''),
  row(
    'tab',
    '',
    'id class title hidden disabled if style gap pad border label short focus class:NAME',
    '',
  ),
  row('sparkline', '', `${COMMON} bind min max class:NAME`, 'scale'),
  row('hints', '', `${COMMON} scope class:NAME`, ''),
];

const TAG_BY_NAME = new Map(TAGS.map((tag) => [tag.tag, tag]));
const SINCE_BY_TAG = new Map(
  ATTRIBUTES.map((attributes) => [attributes.tag, sinceTable(attributes)]),
);

/** Entry of a tag, whatever its version, or `undefined`. */
export function findTag(tag: string): TagEntry | undefined {
  return TAG_BY_NAME.get(tag);
}

/**
 * Version that added an attribute to a tag, or `null` when the catalog has none (U-039).
 *
 * @param tag `item@table` for an item of a table
 */
export function attributeSince(tag: string, name: string): Version | null {
  const key = name.startsWith('class:') ? 'class:NAME' : name;
  return SINCE_BY_TAG.get(tag)?.get(key) ?? null;
}

/** Tags that take focus by default and so need an id (U-047, U-076). */
export const FOCUSABLE_TAGS: ReadonlySet<string> = new Set([
  'list',
  'input',
  'button',
  'modal',
  'table',
]);

function entry(
  tag: string,
  since: Version,
  role: string,
  content: Content,
  group: TagEntry['group'],
): TagEntry {
  return { tag, since, role, content, group };
}

function row(tag: string, v1: string, v2: string, v3: string): AttributeRow {
  return { tag, byVersion: [v1, v2, v3] };
}

function without(list: string, names: readonly string[]): string {
  return list
    .split(' ')
    .filter((name) => !names.includes(name))
    .join(' ');
}

function sinceTable({ byVersion }: AttributeRow): Map<string, Version> {
  const table = new Map<string, Version>();
  for (const [i, names] of byVersion.entries()) {
    for (const name of names.split(' ')) if (name !== '') table.set(name, (i + 1) as Version);
  }
  return table;
}
