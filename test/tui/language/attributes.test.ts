import { describe, expect, test } from 'vitest';
import { ATTRIBUTES, attributeSince } from '../../../src/tui/language/catalog.ts';
import { check, found, messages, parse } from '../check.ts';

/** The node built from `element` as the only child of the screen. */
function nodeOf(element: string, version = 3) {
  return parse(`<tui version="${version}"><screen>${element}</screen></tui>`).screens[0]!
    .children[0]!;
}

describe('which attributes may stand where', () => {
  test('U-038 U-039 the common set and some of the catalog', () => {
    for (const name of 'id class title hidden disabled focusable if style width height gap pad border on:click on:focus'.split(
      ' ',
    )) {
      expect(attributeSince('box', name)).toBe(1);
    }
    expect(attributeSince('item', 'focusable')).toBeNull();
    expect(attributeSince('item@table', 'class:x')).toBe(2);
    expect(attributeSince('item@table', 'id')).toBeNull();
    expect(attributeSince('keymap', 'when')).toBe(3);
    expect(attributeSince('column', 'priority')).toBe(3);
    expect(attributeSince('bind', 'class:x')).toBeNull();
    expect(ATTRIBUTES).toHaveLength(25);
  });

  test.each([
    [
      '<list id="l"><item on:click="a"/></list>',
      3,
      'V002 attribute "on:click" is not allowed on a list <item>: ',
    ],
    [
      '<list id="l"><item><text focusable="true"/></item></list>',
      3,
      'V002 attribute "focusable" is not allowed inside a list <item> (on <text>): ',
    ],
    [
      '<col id="c" each="a as b"><text on:focus="x"/></col>',
      3,
      'V002 attribute "on:focus" is not allowed inside an each template (on <text>, in <col id="c">): ',
    ],
    [
      '<list id="l"><item><scroll stick="bottom"/></item></list>',
      3,
      'V002 attribute "stick" is not allowed inside a list <item>: ',
    ],
    [
      '<col id="c" each="a as b"><scroll stick="bottom"/></col>',
      3,
      'V002 attribute "stick" is not allowed inside an each template (in <col id="c">): ',
    ],
    ['<text on:hover="x"/>', 3, 'V002 unknown event "on:hover" on <text>'],
    ['<text on:select="x"/>', 3, 'V002 attribute "on:select" is not allowed on <text>'],
    ['<text frob="x"/>', 3, 'V002 attribute "frob" is not allowed on <text>'],
    [
      '<list id="l"><item><scroll stick="bottom"/></item></list>',
      2,
      'V002 attribute "stick" on <scroll> (requires version="3")',
    ],
    ['<text stick="bottom"/>', 2, 'V002 attribute "stick" is not allowed on <text>'],
    [
      '<text class:Big="a"/>',
      2,
      'V002 unknown attribute "class:Big" (attribute names are lowercase)',
    ],
    ['<text class:Big="a"/>', 1, 'V002 attribute "class:Big" on <text> (requires version="2")'],
    [
      '<table id="t" each="a as b" key="b"><column/><item id="x"/></table>',
      2,
      'V002 attribute "id" is not allowed on <item>',
    ],
  ])('U-040 %s in version %d', (body, version, head) => {
    const list = messages(body, version);
    expect(list).toHaveLength(1);
    expect(list[0]!.startsWith(head)).toBe(true);
  });

  test('U-040 the finding sits at the attribute, with the path and id of its element', () => {
    const { diagnostics } = parse(
      '<tui version="1"><screen><text id="t"  frob="x"/></screen></tui>',
    );
    expect(diagnostics[0]).toMatchObject({ line: 1, col: 40, path: '/screen/text', id: 't' });
  });

  test('U-040 an item of an unknown table is a plain item', () => {
    const list = messages('<table><item hidden="a" on:click="x"/></table>', 1);
    expect(
      list.some((text) =>
        text.startsWith('V002 attribute "on:click" is not allowed on a list <item>'),
      ),
    ).toBe(true);
    expect(list.some((text) => text.includes('hidden'))).toBe(false);
  });
});

describe('values', () => {
  test.each([
    [
      '<text id="1a"/>',
      `V003 bad id "1a" (letters, digits, '-' and '_'; must not start with a digit)`,
    ],
    ['<text class="a 1b"/>', 'V003 bad class name "1b"'],
    ['<text width="3px"/>', 'V003 width: bad size "3px" (want N, N%, Nfr, or auto)'],
    ['<text height=""/>', 'V003 height: bad size "" (want N, N%, Nfr, or auto)'],
    ['<text gap="5"/>', 'V003 gap: bad value "5" (want one integer 0-4)'],
    ['<text pad="1 2 3 4 5"/>', 'V003 pad: want 1-4 cell values, got "1 2 3 4 5"'],
    ['<text border="2"/>', 'V003 border="2": want 1, 0, none, single, double, rounded, or thick'],
    [
      '<text wrap="soft"/>',
      'V003 wrap: bad value "soft" (want wrap | nowrap | truncate | truncate-start | truncate-middle)',
    ],
    [
      '<text title="{ a }"/>',
      'V003 title: { a } is not a path: write {a}, with no spaces inside the braces',
    ],
    ['<text if="a b"/>', 'V011 if: "a b" is not a path or !path (no spaces)'],
    ['<text hidden="a b"/>', 'V003 hidden="a b": want true, false, a path, or !path'],
    ['<text disabled="!"/>', 'V003 disabled="!": want true, false, a path, or !path'],
    ['<text focusable="a"/>', 'V003 focusable="a": want true or false'],
    ['<progress bind="a."/>', 'V003 bind="a." is not a path'],
    ['<rule axis="both"/>', 'V003 axis="both": want x or y'],
    ['<scroll axis="z"/>', 'V003 axis="z": want x, y, or both'],
    ['<progress value="101"/>', 'V003 value="101": want a number 0-100'],
    ['<progress value="100.01"/>', 'V003 value="100.01": want a number 0-100'],
    ['<progress value=".5"/>', 'V003 value=".5": want a number 0-100'],
    ['<sparkline bind="a" min="+1"/>', 'V003 min="+1": want a number such as 0, -5, or 0.25'],
    ['<hints scope="some"/>', 'V003 scope="some": want active or all'],
    [
      '<table id="t" each="a as b" key="b"><column priority="-1"/></table>',
      'V003 priority="-1": want a non-negative integer',
    ],
    [
      '<sparkline bind="a" scale="a-b"/>',
      'V003 scale="a-b": a scale name is a plain identifier ([A-Za-z_][A-Za-z0-9_]*)',
    ],
    ['<scroll id="x" stick="top"/>', 'V003 stick="top": want bottom'],
    ['<text on:click="move-next"/>', 'V003 on:click="move-next": an action is a plain name'],
    [
      '<text class:1="a"/>',
      'V015 class:1: "1" is not a class name for a guard ([a-z_][a-z0-9_-]*)',
    ],
    ['<text class:a="b c"/>', 'V015 class:a="b c": a class guard is path or !path'],
    ['<text style="width"/>', `V003 style: expected 'property: value', got "width"`],
    ['<text style="frob: 1; width: 3; bold: maybe"/>', 'V003 unknown property "frob"'],
  ])('U-042 %s', (body, message) => expect(messages(body, 3)[0]).toBe(message));

  test('U-042 open, mouse, secret and focus', () => {
    expect(messages('<modal id="m" open="a b"/>')).toEqual([
      'V003 open="a b": want true, false, a path, or !path',
    ]);
    expect(messages('<input id="i" secret="yes"/>')).toEqual([
      'V003 secret="yes": want true or false',
    ]);
    expect(found('<tui version="2" mouse="a b"><screen focus="x"/></tui>')).toEqual([
      'V003 mouse="a b": want true, false, a path, or !path',
      'V003 focus="x": want #id',
    ]);
  });

  test.each([
    [1, 'blue', 'V003 unknown theme "blue" (built-in: dark, light)'],
    [1, 'auto', 'V003 theme="auto" (requires version="2")'],
    [2, 'blue', 'V003 unknown theme "blue" (built-in: dark, light; or auto)'],
  ])('U-042 theme in version %d: %s', (version, theme, message) => {
    const text = `<tui version="${version}" theme="${theme}"><screen/></tui>`;
    expect(found(text)).toEqual([message]);
    expect(parse(text).theme).toBeNull();
  });

  test('U-042 a value that fails is not applied, except the id', () => {
    const node = nodeOf(
      '<text id="1a" class="x 1b x" width="3px" hidden="a b" border="1" pad="1 2"/>',
    );
    expect(node).toMatchObject({ id: '1a', classes: ['x'], hidden: false });
    expect(node.presentational.map(({ property, text }) => [property, text])).toEqual([
      ['border', 'single'],
      ['padding', '1 2'],
    ]);
  });

  test('U-042 repeats in class are dropped from version 2 on', () => {
    expect(nodeOf('<text class="a b a"/>', 2).classes).toEqual(['a', 'b']);
    expect(nodeOf('<text class="a b a"/>', 1).classes).toEqual(['a', 'b', 'a']);
  });

  test('U-041 a number literal has at most 1000 characters', () => {
    expect(messages(`<progress value="${'0'.repeat(999)}9"/>`)).toEqual([]);
    expect(messages(`<progress value="${'0'.repeat(1000)}9"/>`)).toHaveLength(1);
  });

  test('U-042 U-232 a priority of a million digits is the largest one, at once', () => {
    const column = nodeOf(
      `<table id="t" each="a as b" key="b"><column priority="${'9'.repeat(1e6)}"/></table>`,
    ).children[0]!;
    expect(column.priority).toBe(9_223_372_036_854_775_807n);
  });

  test('U-043 U-059 line ends become spaces, control characters are removed and reported', () => {
    const text = '<tui version="2"><screen title="a\n\tb\u001b[1mc"/></tui>';
    expect(check(text)).toEqual([
      'error V007 1:26 /screen control character or ANSI escape in text (stripped)',
    ]);
    expect(parse(text).screens[0]!.title?.source).toBe('a  bc');
    expect(found('<tui version="2"><screen title="a&#10;"/></tui>')).toHaveLength(1);
    expect(messages('<button id="b" label="a\tb"/>')).toEqual([]);
  });

  test.each([
    [
      '<button id="b" label="{x}"/>',
      2,
      'V003 label: {path} is only allowed in <text>, title, and placeholder',
    ],
    [
      '<button id="b">{x}</button>',
      2,
      'V003 button label: {path} is only allowed in <text>, title, and placeholder',
    ],
    [
      '<tabs id="t"><tab id="a" label="{x}"/></tabs>',
      2,
      'V003 label: {path} is only allowed in <text>, title, and placeholder (requires version="3")',
    ],
    [
      '<tabs id="t"><tab id="a" label="x" short="{x}"/></tabs>',
      2,
      'V003 short: {path} is only allowed in <text>, title, and placeholder (requires version="3")',
    ],
    [
      '<tabs id="t"><tab id="a" label="{x y}"/></tabs>',
      3,
      'V003 label: {x y} is not a path; markup has no expressions',
    ],
  ])('U-044 %s in version %d', (body, version, message) =>
    expect(messages(body, version)).toEqual([message]),
  );

  test('U-044 in version 3 a tab label is a template', () => {
    const tab = nodeOf('<tabs id="t"><tab id="a" label="{n} new"/></tabs>').children[0]!;
    expect(tab.label?.parts).toEqual([{ source: 'n', segments: ['n'] }, ' new']);
  });

  test.each([
    ['3.0', 'cells', '3'],
    [' 007.50% ', 'percent', '7.5'],
    ['0%', 'percent', '0'],
    ['0.5fr', 'fr', '0.5'],
  ])('U-045 U-046 size %j', (text, unit, literal) => {
    const value = nodeOf(`<text width="${text}"/>`).presentational[0]!.value;
    expect(value).toMatchObject({ unit, amount: { literal } });
  });

  test.each([
    ['1.5', 'bad size "1.5": cells are integers'],
    ['0fr', 'bad size "0fr": fr weight must be > 0'],
    ['-1', 'bad size "-1" (want N, N%, Nfr, or auto)'],
    ['1 %', 'bad size "1 %" (want N, N%, Nfr, or auto)'],
    ['1e3', 'bad size "1e3" (want N, N%, Nfr, or auto)'],
    ['NaN', 'bad size "NaN" (want N, N%, Nfr, or auto)'],
    ['Infinity', 'bad size "Infinity" (want N, N%, Nfr, or auto)'],
    ['1'.repeat(1001), `bad size "${'1'.repeat(40)}…": a number has at most 1000 characters`],
    [`x${'é'.repeat(30)}`, `bad size "x${'é'.repeat(19)}…" (want N, N%, Nfr, or auto)`],
  ])('U-045 %.12s', (text, message) =>
    expect(messages(`<text width="${text}"/>`)).toEqual([`V003 width: ${message}`]),
  );
});

describe('bodies', () => {
  const bodyOf = (body: string) => nodeOf(`<text>${body}</text>`, 1).body?.source;

  test('U-058 lines are trimmed, outer empty lines dropped, inner ones and spaces kept', () => {
    expect(bodyOf('\n  a  b \t\n\n\u00a0c\u00a0\n  \n')).toBe('a  b\n\n\u00a0c\u00a0');
    expect(bodyOf('x<!-- gone -->y<![CDATA[ z ]]>')).toBe('xy z');
  });

  test('U-059 control characters in a body are one V007 at the first text', () => {
    expect(
      check('<tui version="1"><screen><text><!--c-->a\tb\u001b[1m</text></screen></tui>'),
    ).toEqual(['error V007 1:40 /screen/text control character or ANSI escape in text (stripped)']);
    expect(bodyOf('\u0001\n a')).toBe('a');
  });

  test('U-061 a bad insertion is reported at the first text, and the body shows as written', () => {
    expect(check('<tui version="1"><screen><text>\n {a+b}{ c }</text></screen></tui>')).toEqual([
      'error V003 1:32 /screen/text {a+b} is not a path; markup has no expressions',
    ]);
    expect(nodeOf('<text>{a+b}{c}</text>').body?.parts).toEqual(['{a+b}{c}']);
  });

  test('U-062 the body of a column that version 1 does not know is still checked', () => {
    expect(messages('<table><column>{ a }</column></table>', 1)).toContain(
      'V003 { a } is not a path: write {a}, with no spaces inside the braces',
    );
  });

  test('U-063 a button has its label attribute, even empty, besides its body', () => {
    const button = nodeOf('<button id="b" label="">body</button>');
    expect(button.label?.source).toBe('');
    expect(button.body?.source).toBe('body');
  });

  test.each([
    ['a', 'V011 each="a" must be "path as alias"'],
    [
      'a  as b',
      'V011 each="a  as b" must be "path as alias" with exactly one space on each side of "as" and no other spaces',
    ],
    [
      'a as b ',
      'V011 each="a as b " must be "path as alias" with exactly one space on each side of "as" and no other spaces',
    ],
    ['a. as b', 'V011 each="a. as b": "a." is not a path'],
    ['a as b.c', 'V011 each="a as b.c": alias "b.c" is not an identifier'],
  ])('U-077 each=%j', (each, message) =>
    expect(messages(`<col each="${each}"/>`)).toEqual([message]),
  );

  test('U-077 a good each', () => {
    expect(nodeOf('<col each="a.b as c"/>').each).toMatchObject({
      path: { source: 'a.b' },
      alias: 'c',
    });
  });

  test.each([
    '<text if="a == b"/>',
    '<text hidden="len(a)"/>',
    '<text>{a.0}</text>',
    '<text>{a | upper}</text>',
  ])('U-074 there are no expressions: %s', (body) => expect(messages(body)).toHaveLength(1));

  test('U-075 a screen takes no if, hidden or disabled', () => {
    expect(found('<tui version="2"><screen if="a" hidden="b" disabled="c"/></tui>')).toHaveLength(
      3,
    );
  });
});
