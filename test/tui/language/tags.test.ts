import { describe, expect, test } from 'vitest';
import { findTag, TAGS } from '../../../src/tui/language/catalog.ts';
import { check, found, messages, parse } from '../check.ts';

describe('roots and versions', () => {
  test('U-020 another root stops the document with a path', () => {
    expect(check('<html><lsit/></html>')).toEqual([
      'error V005 1:1 / document root must be <tui> (or the phase-0 alias <app>), got <html>',
    ]);
  });

  test('U-021 a tui without a screen is reported besides the rest, and its frame is blank', () => {
    const document = parse('<tui version="1"><lsit/></tui>');
    expect(document.diagnostics.map(({ code, path, msg }) => [code, path, msg])).toEqual([
      ['V005', '/', 'document has no <screen>'],
      ['V001', '/lsit', 'unknown tag <lsit>'],
    ]);
    expect(document.screens).toEqual([]);
  });

  test('U-022 a missing version is V014 and read as 1', () => {
    const document = parse('<tui><screen/></tui>');
    expect(document.version).toBe(1);
    expect(found('<tui><screen/></tui>')).toEqual([
      'V014 <tui> needs version="1" (or version="2")',
    ]);
  });

  test('U-022 another version is V003 at the attribute and read as 1', () => {
    const text = '<tui theme="light" version="4"><screen/></tui>';
    expect(parse(text).version).toBe(1);
    expect(check(text)).toEqual([
      'error V003 1:20 / version="4": want "1", "2", or "3" (the document is read as version="1")',
    ]);
  });

  test('U-022 the version counts wherever it stands among the attributes', () => {
    expect(found('<tui mouse="true" version="2"><screen/></tui>')).toEqual([]);
  });

  test('U-023 U-027 each version accepts all of the one before', () => {
    const body = '<tabs id="t"><tab id="a" label="x"/></tabs>';
    expect(messages(body, 2)).toEqual([]);
    expect(messages(body, 3)).toEqual([]);
  });

  test.each([
    ['<table id="t"/>', 1, 'V001 tag <table> (requires version="2")'],
    ['<col each="a as b"/>', 1, 'V002 attribute "each" on <col> (requires version="2")'],
    ['<col class:x="a"/>', 1, 'V002 attribute "class:x" on <col> (requires version="2")'],
    [
      '<box style="layout: grid"/>',
      1,
      'V003 layout: value "grid" (want column | row) (requires version="2")',
    ],
    [
      '<scroll id="s2" stick="bottom"/>',
      2,
      'V002 attribute "stick" on <scroll> (requires version="3")',
    ],
    [
      '<text wrap="truncate-start">a</text>',
      2,
      'V003 wrap: value "truncate-start" (want wrap | nowrap | truncate) (requires version="3")',
    ],
    ['<box style="row-gap: 1"/>', 1, 'V003 property "row-gap" (requires version="3")'],
  ])('U-024 %s in version %d', (body, version, message) =>
    expect(messages(body, version)).toEqual([message]),
  );

  test('U-024 attributes of a tag that is unknown in this version are not checked', () => {
    expect(messages('<table frob="1" each="x"/>', 1)).toEqual([
      'V001 tag <table> (requires version="2")',
    ]);
  });

  test('U-026 what version 2 adds is accepted there', () => {
    expect(
      found(
        '<tui version="2" theme="auto" mouse="on"><keymap><bind keys="x" action="move-next" to="#l" label="go" keycap="X"/></keymap><screen class:a="b"><col each="r as x" key="x.id"/><list id="l" each="a as b" key="b.id" checked="c" mark="*" on:change="d"><item/></list><hints/><sparkline bind="s"/></screen></tui>',
      ),
    ).toEqual([]);
  });

  test('U-027 several keymaps are legal in every version', () => {
    const keymaps = '<keymap><bind keys="a" action="quit"/></keymap>'.repeat(2);
    for (const version of [1, 2, 3]) {
      const document = parse(`<tui version="${version}">${keymaps}<screen/></tui>`);
      expect(document.diagnostics).toEqual([]);
      expect(document.keymap).toHaveLength(2);
    }
  });
});

describe('U-028 the spike root', () => {
  test('it is a column, without bindings', () => {
    const document = parse('<app><text id="a">{x }</text></app>');
    expect(document.diagnostics).toEqual([]);
    expect(document.screens[0]).toMatchObject({ tag: 'app', kind: 'col', path: '/' });
    expect(document.screens[0]!.children[0]!.body?.parts).toEqual(['{x }']);
  });

  test.each([
    ['<app><lsit/></app>', 'V001 unknown tag <lsit>'],
    ['<app><app/></app>', 'V001 <app> is only valid as the document root'],
    [
      '<app title="x"/>',
      'V002 unknown attribute "title" on <app> (phase-0 attributes: id class width height gap pad border)',
    ],
  ])('U-028 %s', (text, message) => expect(found(text)).toEqual([message]));

  test('U-028 a tag of the full language', () => {
    expect(found('<app><button/></app>')[0]).toMatch(
      /^V001 <button> is not in the phase-0 vocabulary \(app col row box text\); /,
    );
  });
});

describe('the vocabulary', () => {
  test('U-029 the catalog holds 24 tags, six of them since version 2', () => {
    expect(TAGS).toHaveLength(24);
    expect(TAGS.filter(({ since }) => since === 2).map(({ tag }) => tag)).toEqual([
      'table',
      'column',
      'tabs',
      'tab',
      'sparkline',
      'hints',
    ]);
    expect(findTag('app')).toBeUndefined();
  });

  test('U-030 children of tui come in any order; the first screen is the initial one', () => {
    const document = parse(
      '<tui version="1"><screen id="a"/><style>text {}</style><keymap/><screen id="b"/><style/><keymap><bind keys="q" action="quit"/></keymap></tui>',
    );
    expect(document.diagnostics).toEqual([]);
    expect(document.screens.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(document.styles.map(({ body }) => body)).toEqual(['text {}', '']);
    expect(document.keymap).toHaveLength(1);
  });

  test.each([
    ['<Box/>', 'V001 unknown tag <Box> (tags are lowercase)'],
    ['<a:box/>', 'V001 unknown tag <a:box> (namespaces are not allowed)'],
    ['<app/>', 'V001 <app> is the phase-0 root alias; inside <tui> use <screen>'],
    ['<lsit/>', 'V001 unknown tag <lsit>'],
    [
      '<tabs id="t"><tab id="a" label="a"/><text/></tabs>',
      'V016 <tabs> children must be <tab> elements, got <text>',
    ],
    ['<tui/>', 'V001 <tui> is only valid as the document root'],
    ['<style/>', 'V001 <style> must be a direct child of <tui>'],
    ['<keymap/>', 'V001 <keymap> must be a direct child of <tui>'],
    ['<screen id="x"/>', 'V001 <screen> must be a direct child of <tui>'],
    ['<bind/>', 'V001 <bind> must be inside <keymap>'],
    ['<item/>', 'V001 <item> must be a direct child of <list> or <table>'],
    ['<column/>', 'V016 <column> must be a direct child of <table>'],
    ['<tab id="a" label="x"/>', 'V016 <tab> must be a direct child of <tabs>'],
    [
      '<box><modal id="m"/></box>',
      'L004 <modal> must be a direct child of <screen> (and come last)',
    ],
    ['<list id="l"><text/></list>', 'V001 <list> children must be <item>, got <text>'],
    [
      '<table id="t" each="a as b" key="b"><column/><text/></table>',
      'V016 <table> children must be <column> elements and at most one <item> (the row template), got <text>',
    ],
  ])('U-032 %s', (body, message) => expect(messages(body)).toEqual([message]));

  test('U-032 an item in version 1, and tags directly under tui and keymap', () => {
    expect(messages('<item/>', 1)).toEqual(['V001 <item> must be a direct child of <list>']);
    expect(found('<tui version="1"><text/><keymap><text/></keymap><screen/></tui>')).toEqual([
      'V001 <text> must be inside a <screen>',
      'V001 <keymap> children must be <bind>, got <text>',
    ]);
  });

  test.each([
    [
      '<list id="l"><item><button id="b"/></item></list>',
      'V001 <button> inside a list <item> can never take focus: ',
    ],
    [
      '<col id="c" each="a as b"><input/></col>',
      'V001 <input> inside an each template (<col id="c">) would repeat for every element and can never take focus or keep its state: ',
    ],
    [
      '<col each="a as b"><list/></col>',
      'V001 <list> inside an each template (<col> at 1:33) would repeat for every element and can never take focus or keep its state: ',
    ],
  ])('U-032 row 9: %s', (body, head) => {
    const list = messages(body);
    expect(list).toHaveLength(1);
    expect(list[0]!.startsWith(head)).toBe(true);
  });

  test('U-032 the hints name on:select and the list', () => {
    const [hint] = messages('<list id="l"><item><button/></item></list>');
    expect(hint).toContain('on:select');
    expect(hint).toContain('when="#l:focus"');
  });

  test('U-031 U-033 unknown tags leave the tree, misplaced ones stay, both are checked below', () => {
    const document = parse(
      '<tui version="2"><screen><lsit frob="1"><box id="1x" frob="2"><zap/></box></lsit><bind/></screen></tui>',
    );
    expect(document.screens[0]!.children.map(({ tag }) => tag)).toEqual(['bind']);
    expect(document.ids.size).toBe(0);
    expect(document.diagnostics.map(({ msg }) => msg)).toEqual([
      'unknown tag <lsit>',
      `bad id "1x" (letters, digits, '-' and '_'; must not start with a digit)`,
      'attribute "frob" is not allowed on <box>',
      'unknown tag <zap>',
      '<bind> must be inside <keymap>',
    ]);
  });
});

describe('content', () => {
  test.each(['text', 'bind', 'rule', 'spacer', 'progress'])(
    'U-034 %s takes no elements; the child is skipped',
    (tag) => {
      const list = check(
        `<tui version="1"><screen><${tag} id="p"><lsit frob="1"/></${tag}></screen></tui>`,
      );
      expect(list.at(-1)).toMatch(
        new RegExp(
          `^error V013 1:\\d+ /screen/${tag} <${tag}> cannot contain elements \\(found <lsit>\\)$`,
        ),
      );
      expect(list.join()).not.toContain('unknown');
    },
  );

  test.each([
    [
      '<table id="t" each="a as b" key="b"><column><text/></column></table>',
      /^V016 <column> holds its cell template as text, .*\(found <text>\)$/,
    ],
    [
      '<table id="t" each="a as b" key="b"><column/><item><text/></item></table>',
      /^V016 a table's <item> is the row template:.*\(found <text>\)/,
    ],
    [
      '<sparkline bind="a"><text/></sparkline>',
      /^V016 <sparkline> takes no children \(found <text>\)$/,
    ],
    ['<hints><text/></hints>', /^V016 <hints> takes no children \(found <text>\)$/],
  ])('U-034 %s', (body, pattern) => {
    expect(messages(body)).toHaveLength(1);
    expect(messages(body)[0]).toMatch(pattern);
  });

  test('U-035 text where none is taken is reported at its first visible character', () => {
    expect(check('<tui version="1"><screen>\n  a &lt; <text/> b</screen></tui>')).toEqual([
      'error V013 2:3 /screen text is not allowed directly inside <screen>; wrap it in <text>',
    ]);
  });

  test.each([
    [
      '<table id="t" each="a as b" key="b">x<column/></table>',
      'V016 text is not allowed directly inside <table>; ',
    ],
    [
      '<tabs id="t">x<tab id="a" label="a"/></tabs>',
      'V016 text is not allowed directly inside <tabs>; ',
    ],
    ['<sparkline bind="a">x</sparkline>', 'V016 <sparkline> takes no text'],
    ['<hints>x</hints>', 'V016 <hints> takes no text'],
    [
      '<table id="t" each="a as b" key="b"><column/><item>x</item></table>',
      "V016 a table's <item> is the row template and takes no text",
    ],
  ])('U-035 %s', (body, head) => {
    expect(messages(body)).toHaveLength(1);
    expect(messages(body)[0]!.startsWith(head)).toBe(true);
  });

  test('U-036 a style has src or a body, not both; an empty src counts as absent', () => {
    const doc = (style: string) => found(`<tui version="1">${style}<screen/></tui>`);
    expect(doc('<style src="a.tcss">text {}</style>')).toEqual([
      'V013 <style> takes either src or an inline body, not both',
    ]);
    expect(doc('<style src="">text {}</style><style src="a.tcss"> \n</style>')).toEqual([]);
  });

  test('U-037 paths have tags only, from below the root', () => {
    const { diagnostics } = parse(
      '<tui version="1"><keymap><bind keys="q"/></keymap><screen id="s"><col id="c"><text wrap="x"/></col></screen></tui>',
    );
    expect(diagnostics.map(({ path, id }) => [path, id])).toEqual([
      ['/keymap/bind', ''],
      ['/screen/col/text', ''],
    ]);
  });
});
