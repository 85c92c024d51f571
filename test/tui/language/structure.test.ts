import { describe, expect, test } from 'vitest';
import { actionCatalog, unlistedActions } from '../../../src/tui/language/actions.ts';
import { isKeyToken } from '../../../src/tui/language/keymap.ts';
import { check, found, messages, parse } from '../check.ts';

/** Diagnostics with these keymap rows and this screen body. */
function withKeys(rows: string, body = '', version = 2, keymap = ''): string[] {
  return found(
    `<tui version="${version}"><keymap${keymap}>${rows}</keymap><screen id="s">${body}</screen></tui>`,
  );
}

/** Expects the messages to start with these heads; what follows a head is free advice. */
function expectHeads(list: readonly string[], ...heads: string[]): void {
  expect(list).toHaveLength(heads.length);
  for (const [i, head] of heads.entries()) expect(list[i]!.slice(0, head.length)).toBe(head);
}

describe('ids', () => {
  test.each(['list', 'input', 'button', 'modal'])('U-047 %s needs an id', (tag) =>
    expect(messages(`<${tag}/>`)).toEqual([`V012 <${tag}> is focusable and needs an id`]),
  );

  test('U-047 the other cases', () => {
    expectHeads(messages('<box focusable="true"/>'), 'V012 <box> is focusable and needs an id');
    expectHeads(
      messages('<table each="a as b" key="b"><column/></table>'),
      'V012 <table> needs an id: ',
    );
    expectHeads(
      messages('<tabs><tab label="a"/></tabs>'),
      'V012 <tabs> needs an id: ',
      'V012 <tab> needs an id: ',
    );
    expectHeads(
      messages('<scroll stick="bottom"/>', 3),
      'V012 <scroll stick="bottom"> needs an id: ',
    );
    expect(found('<tui version="1"><screen/><screen id="b"/></tui>')).toEqual([
      'V012 each <screen> needs an id when there are several',
    ]);
  });

  test('U-048 a duplicate names the first place, dropped subtrees included', () => {
    expect(
      check(
        '<tui version="1"><screen id="a"><lsit id="q"><text id="a"/></lsit><box id="q"/></screen></tui>',
      ),
    ).toEqual([
      'error V001 1:33 /screen/lsit unknown tag <lsit>',
      'error V004 1:46 /screen/lsit/text duplicate id "a" (first defined at 1:18)',
    ]);
  });

  test('U-048 an id in a template would repeat', () => {
    expectHeads(
      messages('<row id="r" each="a as b"><text id="t"/><text id="t"/></row>'),
      'V004 id "t" inside an each template (<row id="r">) would repeat for every element: ',
      'V004 duplicate id "t" (first defined at 1:59)',
    );
  });

  test('U-049 after the first modal only modals may follow', () => {
    expect(messages('<modal id="m"/><text/><modal id="n"/><rule/>')).toEqual([
      'L004 <modal> must be the last child of <screen> (found <text> after it)',
      'L004 <modal> must be the last child of <screen> (found <rule> after it)',
    ]);
  });
});

describe('lists, tables, tabs', () => {
  test('U-050 a list with each has exactly one item, and a key', () => {
    expect(messages('<list id="l" each="a as b"/>')).toEqual([
      'V013 <list each=...> needs exactly one <item> template (found 0)',
      'B006 <list each="a as b"> has no key=; selection follows the index',
    ]);
    expect(messages('<list id="l"><item/><item/></list>')).toEqual([]);
  });

  test('U-051 what a table needs', () => {
    expectHeads(
      messages('<table id="t"/>'),
      'V017 <table> needs each="path as alias": ',
      'V017 <table> needs at least one <column>',
    );
    expect(messages('<table id="t" each="a as b"><item/><column/><item/></table>')).toEqual([
      'B006 <table each="a as b"> has no key=; the cursor follows the row index',
      'V016 a <table> has at most one <item>, its row template',
    ]);
  });

  test('U-052 U-053 tabs, tab and sparkline', () => {
    expectHeads(messages('<tabs id="t"/>'), 'V017 <tabs> needs at least one <tab>');
    expectHeads(
      messages('<tabs id="t"><tab id="a" label=""/></tabs>'),
      'V003 <tab> needs a non-empty label=: ',
    );
    expectHeads(messages('<sparkline/>'), 'V003 <sparkline> needs bind="path": ');
  });

  test('U-054 stick and axis', () => {
    expect(messages('<scroll id="x" axis="x" stick="bottom"/>', 3)).toEqual([
      'V003 stick="bottom" needs a y scroll axis; axis="x" cannot stick',
    ]);
  });

  test.each([
    [
      '<list id="l" checked="c"><item/></list>',
      'V018 checked on <list> needs each= and key= on the same element: ',
    ],
    ['<list id="l" each="a as b" key="" checked="c"><item/></list>', 'V003 key="" is not a path'],
    [
      '<list id="l" key="k" checked="c"><item/></list>',
      'V018 checked on <list> needs each= on the same element: ',
    ],
    ['<list id="l" mark="*"><item/></list>', 'V018 mark on <list> needs checked=: '],
    ['<list id="l" on:change="x"><item/></list>', 'V018 on:change on <list> needs checked=: '],
    [
      '<tabs id="t" mark="abc"><tab id="a" label="x"/></tabs>',
      'V018 mark="abc" is 3 columns wide; a mark is 1 or 2 columns wide',
    ],
    [
      '<tabs id="t" mark=""><tab id="a" label="x"/></tabs>',
      'V018 mark="" is 0 columns wide; a mark is 1 or 2 columns wide',
    ],
    [
      '<tabs id="t" mark="{abc}"><tab id="a" label="x"/></tabs>',
      'V003 mark: {path} is only allowed in <text>, title, and placeholder',
    ],
  ])('U-055 %s', (body, head) => expectHeads(messages(body), head));

  test('U-055 a wide mark is fine', () => {
    expect(messages('<tabs id="t" mark="漢"><tab id="a" label="x"/></tabs>')).toEqual([]);
  });

  test('U-056 an alias may not repeat an outer one', () => {
    expectHeads(
      messages('<col id="c" each="a as b"><row each="b.x as b"/></col>'),
      'V011 each="b.x as b": the alias "b" repeats the alias of the enclosing each="a as b" of <col id="c">; ',
    );
  });

  test('U-057 B005 focus targets', () => {
    const screen = (focus: string, body: string) =>
      found(`<tui version="3"><screen id="s" focus="${focus}">${body}</screen></tui>`);
    expectHeads(
      screen('#zz', '<lsit><box id="zz"/></lsit>').slice(0, 1),
      'B005 focus="#zz" refers to an id that does not exist',
    );
    expectHeads(
      screen('#r', '<list id="l"><item><text id="r"/></item></list>'),
      'B005 focus="#r" is inside a list <item>, where nothing takes focus or is addressed by id: ',
    );
    expectHeads(
      screen('#r', '<col each="a as b"><text id="r"/></col>'),
      'B005 focus="#r" is inside an each template, where nothing takes focus or is addressed by id: ',
      'V004 ',
    );
    expectHeads(
      messages('<button id="b"/><modal id="m" focus="#b"/>', 3),
      'B005 focus="#b" names a node outside this modal; ',
    );
    expectHeads(
      messages('<button id="b"/><tabs id="t"><tab id="a" label="x" focus="#b"/></tabs>'),
      'B005 focus="#b" names a node outside this tab; ',
    );
    expect(messages('<modal id="m" focus="#b"><button id="b"/></modal>', 3)).toEqual([]);
  });
});

describe('keymap', () => {
  test.each([
    'enter',
    'esc',
    'tab',
    'backspace',
    'space',
    'up',
    'home',
    'pgdn',
    'shift+tab',
    'ctrl+a',
    'ctrl+z',
    'a',
    'Z',
    '!',
    '~',
    '-',
    '+',
  ])('U-093 %s is a key', (key) => expect(isKeyToken(key)).toBe(true));
  test.each(['', ',', ' ', 'Enter', 'ctrl+A', 'ctrl+1', 'f1', 'delete', 'ab', 'é', 'shift+a'])(
    'U-093 %j is none',
    (key) => expect(isKeyToken(key)).toBe(false),
  );

  test('U-092 U-093 rows form one list; keys are split at commas, empty parts dropped', () => {
    const { keymap } = parse(
      '<tui version="2"><keymap><bind keys=" a , ,b" action="x"/></keymap><screen/><keymap><bind keys="," action="quit"/></keymap></tui>',
    );
    expect(keymap.map(({ keys, keysText, action }) => [keys, keysText, action])).toEqual([
      [['a', 'b'], ' a , ,b', 'x'],
      [[], ',', 'quit'],
    ]);
  });

  test.each([
    ['<bind action="x"/>', 'V003 <bind> needs keys='],
    ['<bind keys=" " action="x"/>', 'V003 <bind> needs keys='],
    ['<bind keys="f1" action="x"/>', 'V003 unknown key "f1" (see the key token list: '],
    ['<bind keys="a"/>', 'V003 <bind> needs action='],
    ['<bind keys="a" action="a-b"/>', 'V003 action="a-b": an action is a plain name'],
    ['<bind keys="a" action="x" when="a b"/>', 'V003 when="a b": selector "a b": '],
    ['<bind keys="a" action="x" when=":root"/>', 'V003 when=":root": :root is not a node selector'],
    [
      '<bind keys="a" action="x" when="#zz:focus"/>',
      'B005 when="#zz:focus" refers to #zz, which does not exist',
    ],
    [
      '<bind keys="a" action="x" when="#in"/>',
      'B005 when="#in" refers to #in, which is inside a list <item>, where nothing takes focus or is addressed by id: ',
    ],
    ['<bind keys="a" action="x" to="l"/>', 'V003 to="l": want #id'],
    ['<bind keys="a" action="x" to="#zz"/>', 'B005 to="#zz" refers to an id that does not exist'],
    [
      '<bind keys="a" action="x" to="#in"/>',
      'B005 to="#in" is inside a list <item>, where nothing takes focus or is addressed by id: ',
    ],
    ['<bind keys="a" action="focus"/>', 'V003 action="focus" needs to="#id"'],
    [
      '<bind keys="a" action="switch-to"/>',
      'V003 action="switch-to" needs to="#tab" or to="#screen"',
    ],
  ])('U-095 %s', (row, head) => {
    expectHeads(withKeys(row, '<list id="l"><item><text id="in"/></item></list>'), head);
  });

  test('U-094 U-024 hyphenated built-ins belong to version 2', () => {
    expect(withKeys('<bind keys="a" action="move-next"/>', '', 1)).toEqual([
      'V003 action="move-next": built-in action (requires version="2")',
    ]);
    expect(
      withKeys('<bind keys="a" action="quit"/><bind keys="b" action="focus" to="#s"/>', '', 1),
    ).toEqual([]);
  });

  test.each([
    ['<bind keys="a" action="move-next" to="#t"/>', 'V003', false],
    [
      '<bind keys="a" action="move-next" to="#x"/>',
      'B007 action="move-next": its target #x (from to="#x") is a <text>, ',
      true,
    ],
    [
      '<bind keys="a" action="move-page-up" to="#t"/>',
      'B007 action="move-page-up": its target #t (from to="#t") is a <tabs>, ',
      true,
    ],
    [
      '<bind keys="a" action="check-all" when="#l:focus"/>',
      'B007 action="check-all": its target #l (from when="#l:focus") is a <list>, ',
      true,
    ],
    ['<bind keys="a" action="check-all" when="list#l:focus"/>', '', false],
    [
      '<bind keys="a" action="switch-to" to="#t"/>',
      'B007 action="switch-to": its target #t (from to="#t") is a <tabs>, ',
      true,
    ],
    ['<bind keys="a" action="switch-to" to="#s"/>', '', false],
    ['<bind keys="a" action="switch-to" to="#a"/>', '', false],
  ])('U-096 %s', (row, head, isFault) => {
    const body =
      '<text id="x"/><list id="l"><item/></list><tabs id="t"><tab id="a" label="a"/></tabs>';
    expectHeads(withKeys(row, body), ...(isFault ? [head] : []));
  });

  test('U-097 the when of a keymap is the default of its rows and judged once', () => {
    const doc = (when: string, rows: string) =>
      parse(`<tui version="3"><keymap when="${when}">${rows}</keymap><screen id="s"/></tui>`);
    const rows =
      '<bind keys="a" action="x"/><bind keys="b" action="x" when=""/><bind keys="c" action="x" when="#s"/>';
    const good = doc('screen', rows);
    expect(good.diagnostics).toEqual([]);
    expect(good.keymap.map(({ whenText }) => whenText)).toEqual(['screen', '', '#s']);
    const broken = doc('a b', rows);
    expect(broken.diagnostics).toMatchObject([{ code: 'V003', path: '/keymap', line: 1, col: 18 }]);
    expect(broken.keymap[0]).toMatchObject({ whenText: '', when: null, whenNeverMatches: false });
    const lost = doc('#zz', rows);
    expect(lost.diagnostics).toMatchObject([{ code: 'B005', path: '/keymap' }]);
    expect(lost.keymap[0]).toMatchObject({ whenText: '#zz', whenNeverMatches: true });
    expect(lost.keymap[1]!.whenNeverMatches).toBe(false);
  });

  test('U-044 U-043 label and keycap are literal, and cleaned', () => {
    const row = '<bind keys="a" action="x" label="{n}" keycap="A&gt;\u0007"/>';
    expect(withKeys(row)).toEqual([
      'V003 label: {path} is only allowed in <text>, title, and placeholder',
      'V007 control character or ANSI escape in text (stripped)',
    ]);
  });

  test('U-098 label and keycap of a row are kept as written', () => {
    const { keymap } = parse(
      '<tui version="2"><keymap><bind keys="a" action="x" label="go" keycap=""/></keymap><screen/></tui>',
    );
    expect(keymap[0]).toMatchObject({ label: 'go', keycap: '' });
  });
});

describe('actions', () => {
  const document = parse(
    '<tui version="2"><keymap><bind keys="s,ctrl+s" action="save"/><bind keys="q" action="quit"/><bind keys="n" action="move-next"/></keymap><screen id="x"><button id="b" on:focus="save" on:click="save"/><text on:click="open"/><lsit><text on:click="lost"/></lsit></screen></tui>',
  );

  test('U-099 U-100 one entry per action, rows first, then nodes in document order', () => {
    expect(actionCatalog(document)).toEqual([
      { name: 'move-next', builtin: true, sources: ['keys n'] },
      { name: 'open', builtin: false, sources: ['text on:click'] },
      { name: 'quit', builtin: true, sources: ['keys q'] },
      { name: 'save', builtin: false, sources: ['keys s,ctrl+s', '#b on:click', '#b on:focus'] },
    ]);
  });

  test('U-129 actions that the catalog does not list', () => {
    const warnings = unlistedActions(document, new Set(['open']));
    expect(warnings.map(({ path, id, severity, msg }) => [path, id, severity, msg])).toEqual([
      ['/keymap/bind', '', 'warning', 'action "save" (keys s,ctrl+s) is not in the catalog'],
      ['/screen/button', 'b', 'warning', 'action "save" (on:click) is not in the catalog'],
      ['/screen/button', 'b', 'warning', 'action "save" (on:focus) is not in the catalog'],
    ]);
  });
});
