import {
  ATTRIBUTES,
  COMMON,
  EVENTS,
  SPIKE_ATTRIBUTES,
  SPIKE_TAGS,
  TAGS,
} from './language/catalog.ts';
import { CODES } from './language/codes.ts';
import { BUILTINS_V1, BUILTINS_V2, KEY_NAMES } from './language/keymap.ts';
import { PROPERTIES, type Property } from './style/properties.ts';
import { builtinTokens } from './style/tokens.ts';

/**
 * The briefing for coding agents (U-227, U-228). Its tables are those of the validator, so that it
 * cannot tell anything else than `validate` does.
 */
export function briefing(): string {
  return [
    INTRODUCTION,
    `## Tags\n\n${tagTable()}\n\n${SPIKE}`,
    LOOP,
    BINDINGS,
    `## Actions\n\n${ACTIONS}`,
    `## Attributes\n\n${attributeTable()}\n\n${REPEATED}`,
    `## Style\n\n${STYLE}\n\n${propertyTable()}\n\n${tokenLine()}`,
    `## Keys\n\n${keyText()}`,
    `## Diagnostics\n\n${codeTable()}`,
    VERSION_2,
    VERSION_3,
    NOTES,
  ]
    .join('\n\n')
    .concat('\n');
}

const INTRODUCTION = `# Writing .tui documents

A .tui document describes a terminal user interface as text. You edit text: \`.tui\` documents, \`.tcss\` stylesheets and JSON sample data. You never write layout code, drawing code or escape sequences, and you leave the program that hosts the document alone unless you were asked to change it: it supplies the data and carries out the actions. Stored frames (files under a golden or testdata folder) are the record of how things look; do not edit them by hand.

A document is one XML element: \`<tui version="1">\`, \`"2"\` or \`"3"\`. Attribute values take double quotes. The only entities are \`&lt; &gt; &amp; &quot; &apos;\`. The vocabulary is closed: no expressions, no components, no includes but \`<style src="…">\`, no other units than cells, \`%\` and \`fr\`.`;

const SPIKE = `The root \`<app>\` is an older subset: tags \`${SPIKE_TAGS.join('` `')}\` with the attributes \`${SPIKE_ATTRIBUTES.join('` `')}\` and no bindings. Do not start new documents with it.`;

const LOOP = `## The loop

1. \`validate FILE --data DATA\` until it prints \`ok\` and nothing else worries you. It checks 40, 80 and 120 columns.
2. \`dump FILE --data DATA --cols 80 --format json\`, and again with \`--cols 120\`. Read \`grid\` (what is on the screen) and \`nodes\` (where everything is, in cells).
3. Edit. Repeat until both widths look as intended and \`errors\` is empty.
4. A document with inputs, lists, keymaps or actions: \`play FILE --input "tab down enter" --styles --format json\` and check \`focus\`, \`events\` and the frame. Steps are keys, \`text:…\`, \`paste:…\`, \`set:path=JSON\`, \`focus:#id\`, \`resize:100x30\`, \`click:X,Y\`, \`wheel-up:X,Y\`, \`wheel-down:X,Y\`.
5. Look at the other palette once with \`--theme light\`.
6. Something is in the wrong place or colour: \`inspect FILE --id ID\` or \`--at X,Y\` names the rule behind every property.

\`validate\` looks only at the first screen with the data that it is given: bindings of other screens, closed modals, inactive tabs and false branches are not evaluated until a frame shows them.`;

const BINDINGS = `## Bindings

- \`{path}\` stands in the body of \`<text>\` and \`<column>\`, in \`title\` and \`placeholder\`, and in version 3 in a tab's \`label\` and \`short\`. Nowhere else.
- A path is names joined by dots: \`user.name\`. No spaces inside the braces, no indexes, no operators, no functions. Compute values in the program and bind the result.
- \`each="path as alias"\` repeats: the \`item\` of a list, the rows of a table, the children of a \`col\`, \`row\` or \`box\` (version 2). Inside, \`alias.field\` reads the element. Give \`key="alias.id"\` so that the cursor follows the row.
- \`if="path"\` and \`if="!path"\` keep or drop a node. \`hidden\`, \`disabled\` and \`open\` take \`true\`, \`false\`, a path or \`!path\`. Null, false, 0, \`""\`, \`[]\` and a missing path are false.
- \`bind="path"\` is the value of an input, the cursor of a list or table, the active tab, the number of a progress bar, the array of a sparkline.`;

const ACTIONS = `\`on:EVENT="name"\` and the rows of a \`<keymap>\` fire actions by name. Events: \`${EVENTS.join('` `')}\`. The program implements the names; the language knows only these: \`${BUILTINS_V1.join('` `')}\` in every version, and from version 2, in keymap rows only, \`${BUILTINS_V2.join('` `')}\`. \`<bind keys="ctrl+s,s" action="save" when="#editor:focus" to="#list" label="save"/>\`: \`when\` is a selector for the focused node, \`to\` the target of a built-in, a \`label\` makes the row a key hint. \`validate --catalog FILE\` warns about names that the program does not know.`;

const REPEATED = `Inside a list \`item\` and inside an \`each\` template nothing takes focus: no \`list input button modal table tabs\` there, and no \`focusable\`, \`on:click\`, \`on:focus\`. An id inside a template would repeat and is an error. A table's \`item\` carries only \`class\` and class guards.`;

const STYLE = `Selectors: type, \`#id\`, \`.class\`, pseudo-classes \`:focus :selected :disabled :empty\` (version 2: \`:checked :focus-within\`), joined by \`>\`; lists with commas. No descendant combinator, no \`*\`, no \`!important\`, no nesting. \`@media (max-cols: 60)\`, \`min-cols\`, \`max-rows\`, \`min-rows\`, and in version 2 \`theme\`: one feature per block. \`:root\` holds token definitions, \`--name: colour\`, and nothing else; use them as \`$name\`. Sizes: \`10\` cells, \`50%\`, \`1fr\`, \`auto\`. Order: built-in sheet, attributes such as \`width=""\`, stylesheets, \`style=""\`.`;

const VERSION_2 = `## Version 2

A version 1 document keeps its meaning for ever; items of a later version are reported with \`requires version\`. Version 2 adds:

- class guards \`class:NAME="path"\`; nodes list the classes that hold under \`classes\`;
- \`theme="auto"\`, \`@media (theme: light)\` and the reserved path \`@theme\`; the tools show auto as dark unless told otherwise;
- \`table\` with \`column\`s: every row is one line, cells are templates, headers come from \`title\`;
- \`tabs\` with \`tab\`: the strip falls back to \`short\` texts, then to the active tab alone, when it is narrow;
- \`sparkline\` for an array of numbers, \`hints\` for the keys that work right now, \`layout: grid\`, \`scrollbar: auto\`, \`bar: eighths\`, \`each\` on containers;
- multi-select: \`checked="path"\` holds the keys of checked rows, \`mark\` shows them, \`check-toggle\`, \`check-all\`, \`check-none\` change them;
- \`when\` matches any node from the focused one up to the screen;
- keys go, in this order, to \`on:escape\` of the top modal, to the focused widget, to the first matching keymap row, to \`tab\`/\`shift+tab\` and \`ctrl+c\`;
- \`mouse="true"\` on \`<tui>\`: clicks and the wheel work; \`inspect\`; \`ir\` prints version 0.2.`;

const VERSION_3 = `## Version 3

- \`L008\` says that text is cut and \`L009\` that a child is cut; make room, or say what should happen with \`wrap\` on the text or \`overflow\` on the container, and the warning is gone;
- several \`<keymap>\`s with \`when\` as the default of their rows;
- \`<scroll stick="bottom">\` follows growing content until someone scrolls away;
- \`{path}\` in a tab's \`label\` and \`short\`; \`focus="#id"\` on a modal;
- \`priority="N"\` on a column: the smallest number is hidden first when the table is too narrow;
- \`scale="NAME"\` gives sparklines one common range;
- \`row-gap\` and \`column-gap\`; \`wrap: truncate-start\` and \`truncate-middle\`.`;

const NOTES = `## Notes

- Lines of a \`<text>\` are trimmed and empty lines at both ends dropped; write line breaks where you want them.
- Only \`modal\` has a border of its own. Inputs, lists and buttons have none until you give them one; a border takes one cell on every side.
- A modal is open while \`open\` is true; only without \`open\` does \`bind\` decide.
- Children stretch across their container, also in a modal: give a width, or \`align: start\`, to what should stay small.
- A focused list or table takes \`up down home end pgup pgdn\`; a focused input takes every printable key, so letters in a keymap need a \`when\`.
- Rows are never focusable: the list is. Answer \`on:select\`, or add a keymap row with \`when="#list:focus"\`.
- \`dump\`, \`validate\` and \`inspect\` change nothing and remember nothing; \`play\` starts afresh each time.
- \`ctrl+c\` quits unless a keymap row takes it.
- Every command reads the files that you name and prints the same bytes for the same files.`;

function tagTable(): string {
  const groups = [...new Set(TAGS.map(({ group }) => group))];
  return groups
    .map((group) => {
      const rows = TAGS.filter((tag) => tag.group === group).map(
        ({ tag, role, since }) => `- \`${tag}\`${since > 1 ? ` (v${since})` : ''}: ${role}`,
      );
      return `${group[0]!.toUpperCase()}${group.slice(1)}:\n${rows.join('\n')}`;
    })
    .join('\n\n');
}

function attributeTable(): string {
  const cell = (names: string) => {
    if (names === '') return '';
    // Spelt out once above the table: most rows would repeat it.
    if (names === COMMON) return 'common';
    if (names.startsWith(`${COMMON} `)) return `common, \`${names.slice(COMMON.length + 1)}\``;
    return `\`${names}\``;
  };
  const rows = ATTRIBUTES.map(({ tag, byVersion }) => {
    const name = tag === 'item@table' ? 'item of a table' : tag;
    return `| ${name} | ${byVersion.map(cell).join(' | ')} |`;
  });
  const head = ['| Tag | v1 | added in v2 | added in v3 |', '| --- | --- | --- | --- |'];
  return [`Common: \`${COMMON}\`.`, '', ...head, ...rows].join('\n');
}

function propertyTable(): string {
  return PROPERTIES.map((property) => {
    const { name, since, inherited } = property;
    const marks = [since > 1 ? `v${since}` : '', inherited ? 'inherited' : ''].filter(Boolean);
    const mark = marks.length > 0 ? ` (${marks.join(', ')})` : '';
    return `- \`${name}\`${mark}: ${valuesOf(property)}`;
  }).join('\n');
}

/** What a property takes, told by the validator's own refusals; words of a later version are marked. */
function valuesOf({ name, parse }: Property): string {
  const wanted = (version: 1 | 2 | 3): string => {
    // Five words are too many for every property.
    const refusal = parse(name, '? ? ? ? ?', version);
    if (!('error' in refusal)) return '';
    const match =
      /: want (.*), got /.exec(refusal.error) ??
      /\((?:want )?((?:[^()]|\([^()]*\))*)\)$/.exec(refusal.error);
    return match?.[1] ?? '';
  };
  const [first, second, third] = [wanted(1), wanted(2), wanted(3)].map((text) => text.split(' | '));
  return third!
    .map((word) => {
      if (first!.includes(word)) return word;
      return `${word} (${second!.includes(word) ? 'v2' : 'v3'})`;
    })
    .join(' | ');
}

function tokenLine(): string {
  const names = [...builtinTokens('dark').keys()].map((name) => `\`$${name}\``);
  return `Tokens of both themes: ${names.join(' ')}. Prefer them to fixed colours, so that both palettes work.`;
}

function keyText(): string {
  const names = KEY_NAMES.map((name) => `\`${name}\``).join(' ');
  return `Tokens: ${names}, \`ctrl+a\` to \`ctrl+z\`, or one printable character other than a comma. \`ctrl+i\`, \`ctrl+j\` and \`ctrl+m\` arrive as \`tab\` and \`enter\`.`;
}

function codeTable(): string {
  const rows = CODES.map(
    ({ code, severity, pass, trigger }) => `| ${code} | ${severity} | ${pass} | ${trigger} |`,
  );
  return ['| Code | Severity | Pass | When |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
