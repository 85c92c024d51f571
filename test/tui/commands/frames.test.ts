import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runTool } from '../../../src/tui/commands/tools.ts';
import { nodeFiles } from '../../../src/tui/files/node.ts';
import { doc, json, tool } from '../tools.ts';

interface Found {
  readonly severity: string;
  readonly code: string;
  readonly msg: string;
  readonly line: number;
  readonly col: number;
  readonly path: string;
  readonly id?: string;
}

/** Findings of one dump with data. */
async function errors(body: string, data: object, flags = '', version = 2): Promise<Found[]> {
  const files = { 'a.tui': doc(body, version), d: JSON.stringify(data) };
  return (await json(`dump a.tui --data d --format json ${flags}`.trim(), files)).errors;
}

/** The same as `severity code message`, cut at the first `; ` or advice. */
async function told(body: string, data: object, flags = '', version = 2): Promise<string[]> {
  return (await errors(body, data, flags, version)).map(
    ({ severity, code, msg }) => `${severity} ${code} ${msg}`,
  );
}

/** The text rows of one dump. */
async function grid(body: string, data: object, size = '12x3', version = 2): Promise<string[]> {
  const [cols, rows] = size.split('x');
  const files = { 'a.tui': doc(body, version), d: JSON.stringify(data) };
  const dump = await json(`dump a.tui --data d --cols ${cols} --rows ${rows} --format json`, files);
  return dump.grid.map((row: string) => row.trimEnd());
}

const LIST =
  '<list id="l" each="rows as r" key="r.k" bind="at"><item><text>{r.n}</text></item></list>';

describe('repetition', () => {
  test('U-078 list rows, table rows and container children', async () => {
    const data = {
      rows: [
        { k: 1, n: 'a' },
        { k: 2, n: 'b' },
      ],
    };
    expect(await grid(LIST, data)).toEqual(['a', 'b', '']);
    expect(
      await grid(
        '<table id="t" each="rows as r" key="r.k"><column title="N">{r.n}</column></table>',
        data,
      ),
    ).toEqual(['N', 'a', 'b']);
    expect(
      await grid(
        '<box each="rows as r" key="r.k"><text>{r.n}1</text><text>{r.n}2</text></box>',
        data,
        '4x4',
      ),
    ).toEqual(['a1', 'a2', 'b1', 'b2']);
    expect(
      await grid('<box each="rows as r"><text>{r.n}</text></box><text>end</text>', { rows: [] }),
    ).toEqual(['end', '', '']);
  });

  test('U-079 keys in the dump; without key the index', async () => {
    const files = { d: '{"rows":[{"k":"x"},{"k":7}]}' };
    const keys = async (body: string) =>
      (await json('dump a.tui --data d --format json', { ...files, 'a.tui': doc(body) })).nodes
        .filter(({ key }: { key?: string }) => key !== undefined)
        .map(({ tag, key }: { tag: string; key: string }) => `${tag} ${key}`);
    expect(await keys('<list id="l" each="rows as r" key="r.k"><item/></list>')).toEqual([
      'item x',
      'item 7',
    ]);
    expect(await keys('<box each="rows as r"><text>a</text></box>')).toEqual(['text 0', 'text 1']);
  });

  test('U-080 B001 for a missing path and for a value that is no array', async () => {
    expect(await told(LIST, { at: null })).toContain(
      'error B001 each="rows as r": path "rows" is missing (want an array)',
    );
    expect(await told('<box each="rows as r"/>', { rows: { x: 1 } })).toEqual([
      'error B001 each="rows as r": "rows" is an object, not an array',
    ]);
  });

  test('U-081 U-124 a missing key gives the index and B003; --strict leaves that of a list a warning', async () => {
    const data = { rows: [{ k: 1, n: '' }, { n: '' }], at: null };
    const list = 'B003 key="r.k" is missing on item 1';
    expect(await told(LIST, data)).toEqual([`warning ${list}`]);
    expect(await told(LIST, data, '--strict')).toEqual([`warning ${list}`]);
    expect(await told('<col each="rows as r" key="r.k"/>', data, '--strict')).toEqual([
      'error B003 key="r.k" is missing on element 1 (its key is the index)',
    ]);
    expect(
      await told('<table id="t" each="rows as r" key="r.k"><column>x</column></table>', data),
    ).toEqual(['warning B003 key="r.k" is missing on row 1 (its key is the index)']);
  });

  test('U-070 keys are equal by JSON type and text', async () => {
    const rows = [
      { k: '7', n: 'text' },
      { k: 7, n: 'number' },
    ];
    const selected = async (at: unknown) => {
      const files = { 'a.tui': doc(LIST), d: JSON.stringify({ rows, at }) };
      const { nodes } = await json('dump a.tui --data d --format json', files);
      return (
        nodes.findIndex(({ selected }: { selected?: boolean }) => selected) -
        nodes.findIndex(({ tag }: { tag: string }) => tag === 'item')
      );
    };
    expect(await selected('7')).toBe(0);
    expect(await selected(7)).toBe(2);
  });
});

describe('conditions', () => {
  test('U-082 what is dropped evaluates nothing further', async () => {
    expect(
      await told(
        '<box if="no" class:a="zz"><text>{zz}</text></box><box hidden="true"><text>{zz}</text></box><modal id="m"><text>{zz}</text></modal><modal id="n" open="no"><text>{zz}</text></modal>',
        { no: false },
      ),
    ).toEqual([]);
  });

  test.each([
    ['<text if="zz">a</text>', 'if="zz": path "zz" is missing'],
    ['<text hidden="!zz">a</text>', 'hidden="!zz": path "zz" is missing'],
    ['<text disabled="zz">a</text>', 'disabled="zz": path "zz" is missing'],
    ['<modal id="m" open="zz"/>', 'open="zz": path "zz" is missing'],
    ['<text class:on="zz.y">a</text>', 'class:on="zz.y": path "zz.y" is missing'],
  ])('U-083 %s', async (body, msg) =>
    expect(await told(body, {})).toEqual([`warning B002 ${msg}`]),
  );

  test('U-083 U-230 the mouse flag is reported at the root element', async () => {
    const text = `<!-- -->\n ${doc('').replace('<tui', '<tui mouse="zz"')}`;
    const { errors: list } = await json('dump a.tui --format json', { 'a.tui': text });
    expect(list).toEqual([
      {
        severity: 'warning',
        code: 'B002',
        msg: 'mouse="zz": path "zz" is missing',
        file: 'a.tui',
        line: 2,
        col: 2,
        path: '/',
      },
    ]);
  });

  test('U-084 disabled covers the subtree, hidden removes the node', async () => {
    const files = {
      'a.tui': doc(
        '<box disabled="true"><button id="b" label="x"/></box><button id="c" label="y"/><text hidden="true">z</text>',
      ),
    };
    expect((await json('dump a.tui --format json', files)).focus).toBe('c');
    expect((await json('inspect a.tui --id b --json', files)).pseudo).toEqual(['disabled']);
    expect((await tool('dump a.tui', files)).stdout).not.toContain('z');
  });

  test('U-085 open decides, else bind, else closed', async () => {
    const shown = async (attributes: string, data: object) => {
      const files = { 'a.tui': doc(`<modal id="m" ${attributes}/>`), d: JSON.stringify(data) };
      return (await json('dump a.tui --data d --format json', files)).nodes.length === 2;
    };
    expect(await shown('open="o" bind="b"', { o: false, b: true })).toBe(false);
    expect(await shown('bind="b"', { b: [1] })).toBe(true);
    expect(await shown('open="!o"', { o: 0 })).toBe(true);
    expect(await shown('', { o: true })).toBe(false);
  });

  test('U-087 classes, then truthy guards, without repeats', async () => {
    const files = {
      'a.tui': doc('<text class="a b" class:c="y" class:n="no" class:a="y">t</text>'),
      d: '{"y":1,"no":0}',
    };
    const { nodes } = await json('dump a.tui --data d --format json', files);
    expect(nodes[1].classes).toEqual(['a', 'b', 'c']);
  });

  test('U-076 what takes focus by default, and what the attribute changes', async () => {
    const cycle = async (body: string) => {
      const files = { 'a.tui': doc(body) };
      const { frames } = await json(
        ['play', 'a.tui', '--frames', '--format', 'json', '--input', 'tab tab tab'],
        files,
      );
      return [...new Set(frames.map(({ dump }: { dump: { focus: string } }) => dump.focus))];
    };
    expect(
      await cycle(
        '<input id="i"/><button id="b" focusable="false"/><text id="t" focusable="true">x</text><text id="u">x</text><button id="v" style="visibility: hidden"/>',
      ),
    ).toEqual(['i', 't']);
    expect(
      await cycle(
        '<list id="l"><item><text id="x">a</text></item></list><table id="t" each="r as x" key="x"><column/></table>',
      ),
    ).toEqual(['l', 't']);
  });
});

describe('values of widgets', () => {
  test('U-088 progress', async () => {
    expect(await told('<progress bind="p"/>', { p: 'x' }, '--strict')).toEqual([
      'warning B003 progress bind "p" is a string, want a number 0-100',
    ]);
    expect(await told('<progress bind="p"/>', { p: null })).toEqual([]);
    expect(await grid('<progress bind="p" value="50" width="4"/>', { p: 100 }, '4x1')).toEqual([
      '████',
    ]);
  });

  test('U-089 checked', async () => {
    const body = '<list id="l" each="rows as r" key="r" checked="c"><item/></list>';
    const [bad] = await told(body, { rows: [1], c: { x: 1 } });
    expect(bad).toMatch(/^error B008 checked="c": "c" is an object, not an array of row keys/);
    expect(await told(body, { rows: [1] })).toEqual(['warning B003 bind path "c" is missing']);
  });

  test('U-090 sparkline', async () => {
    const body = '<sparkline bind="s"/>';
    expect((await told(body, { s: 5 }))[0]).toMatch(
      /^warning B009 bind="s" is a number, not an array of numbers; /,
    );
    expect((await told(body, { s: [1, null, 'x', true] }))[0]).toMatch(
      /^warning B009 bind="s": element 2 is a string, not a number or null; /,
    );
    expect(await told(body, {})).toEqual(['warning B003 bind path "s" is missing']);
  });

  test('U-091 tabs', async () => {
    const body =
      '<tabs id="t" bind="v"><tab id="a" label="A"/><tab id="b" label="B" hidden="true"/></tabs>';
    expect(await told(body, { v: null })).toEqual([]);
    expect(await told(body, {})).toEqual(['warning B003 bind path "v" is missing']);
    expect((await told(body, { v: 'b' }))[0]).toMatch(
      /^warning B010 bind="v" holds "b", which is not the id of a visible tab of #t; /,
    );
  });

  test('U-230 a missing path in a tab label is reported at the tab', async () => {
    const found = await errors('<tabs id="t"><tab id="a" label="{n}"/></tabs>', {}, '', 3);
    expect(found).toMatchObject([{ code: 'B003', path: '/screen/tabs/tab', id: 'a' }]);
  });
});

describe('styles through the tools', () => {
  const styled = async (sheet: string, body = '<text id="t" class="k">x</text>', version = 3) => {
    const files = {
      'a.tui': doc(body, version, `<style>${sheet.replaceAll('>', '&gt;')}</style>`),
    };
    const { style } = await json('inspect a.tui --id t --json', files);
    return (prop: string) => style.find((entry: { prop: string }) => entry.prop === prop);
  };

  test('U-101 U-110 sheet beats attribute, style beats sheet, then specificity, then order', async () => {
    const of = await styled(
      '.k { width: 3 } text { width: 4 } text { height: 2 } text { height: 3 }',
      '<text id="t" class="k" width="9" height="9" style="bold: true">x</text>',
    );
    expect([of('width').value, of('height').value, of('bold').origin]).toEqual([
      '3',
      '3',
      'inline',
    ]);
    expect(of('bold').rule).toMatchObject({ selector: 'style=""', specificity: 1000 });
  });

  test('U-106 style="" is split at semicolons; each bad part is one finding', async () => {
    const files = {
      'a.tui': doc('<text style="bold: true;; frob; x: 1; color: red !important">a</text>'),
    };
    const { diagnostics } = await json('validate a.tui --json', files);
    expect(diagnostics.map(({ msg }: { msg: string }) => msg)).toEqual([
      `style: expected 'property: value', got "frob"`,
      'unknown property "x"',
      'color: bad color "red !important" (want $token, var(--token), an ANSI name, #rgb, #rrggbb, or default)',
    ]);
    expect(new Set(diagnostics.map(({ col }: { col: number }) => col)).size).toBe(1);
  });

  test('U-108 selectors: lists, children, compounds', async () => {
    const of = await styled(
      'box, screen > text.k#t:focus, screen>#t.k { bold: true } col > text { dim: true }',
    );
    expect([of('bold').value, of('dim').value]).toEqual(['true', 'false']);
    expect(of('bold').rule).toMatchObject({
      selector: 'box, screen > text.k#t:focus, screen>#t.k',
      specificity: 111,
    });
  });

  test('U-112 gap counts as row-gap and column-gap too', async () => {
    const of = await styled('#t { gap: 2 } text { row-gap: 1 }');
    expect([of('gap').value, of('row-gap').value, of('column-gap').value]).toEqual(['2', '2', '2']);
  });

  test('U-114 colours are stored canonically', async () => {
    const of = await styled(
      '#t { color: #AbC; background: bright-red; title-color: default; border-color: var(--ok) }',
    );
    expect(
      ['color', 'background', 'title-color', 'border-color'].map((prop) => of(prop).value),
    ).toEqual(['#aabbcc', 'bright-red', 'default', 'green']);
  });

  test('U-115 tokens of the theme, overridden by :root in order', async () => {
    const sheet =
      ':root { --ok: blue } :root { --ok: #fff } @media (max-cols: 10) { :root { --ok: red } } #t { color: $ok; background: $bg }';
    const of = await styled(sheet);
    expect([of('color').value, of('background').value]).toEqual(['#ffffff', '#0d1117']);
  });
});

describe('inspect a cell', () => {
  test('U-199 U-201 U-202 the deepest laid-out node at a cell, its path and pseudo-classes', async () => {
    const body =
      '<box id="b"><row><text>a</text><text>b</text></row></box><modal id="m" open="true" width="6" height="3"><button id="ok" label="k"/></modal>';
    const files = { 'a.tui': doc(body) };
    const at = async (cell: string) => {
      const { path, pseudo } = await json(
        `inspect a.tui --cols 20 --rows 9 --at ${cell} --json`,
        files,
      );
      return `${path} ${pseudo.join(' ')}`.trim();
    };
    expect(await at('1,0')).toBe('/screen#s/box#b/row/text[1]');
    expect(await at('8,4')).toBe('/screen#s/modal#m/button#ok focus focus-within');
    expect(await at('7,3')).toBe('/screen#s/modal#m focus-within');
    expect(await at('19,8')).toBe('/screen#s focus-within');
  });
});

describe('versions and quirks', () => {
  test('U-025 the built-in sheet is exempt from the version of the document', async () => {
    const files = { 'a.tui': doc('<text>a</text>', 1, '<style>table { bold: true }</style>') };
    const { diagnostics } = await json('validate a.tui --json', files);
    expect(diagnostics.map(({ msg }: { msg: string }) => msg)).toEqual([
      'selector "table": type "table" (requires version="2")',
    ]);
    expect((await tool('validate a.tui', { 'a.tui': doc('<text>a</text>', 1) })).stdout).toBe(
      'ok\n',
    );
  });

  test('U-229 recommendations that are followed: pad and decimal flags', async () => {
    const pad = await json('validate a.tui --json', { 'a.tui': doc('<text pad="x">a</text>') });
    expect(pad.diagnostics[0].msg).toBe('pad: bad cell value "x" (cells only, no units)');
    const { stderr } = await tool('dump a.tui --cols 0o20', { 'a.tui': doc('') });
    expect(stderr).toContain('invalid value "0o20" for flag -cols: parse error');
  });

  test('U-231 where sources disagree: five wrap values, exponents from 6 on', async () => {
    expect(
      await grid('<text wrap="truncate-middle" width="4">abcdefgh</text>', {}, '4x1', 3),
    ).toEqual(['ab…h']);
    expect(await grid('<text>{n}</text>', { n: 1234567.5 }, '20x1')).toEqual(['1.2345675e+06']);
  });
});

describe('real files', () => {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-tui-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  test('U-230 U-167 fmt --write keeps the mode of an existing file', async () => {
    const path = join(dir, 'a.tui');
    writeFileSync(path, '<tui/>', { mode: 0o600 });
    expect(await runTool('fmt', ['--write', 'a.tui'], nodeFiles(dir))).toMatchObject({
      exitCode: 0,
    });
    expect(readFileSync(path, 'utf8')).toBe('<tui/>\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('U-009 U-102 errors of the real file system', async () => {
    const files = nodeFiles(dir);
    expect((await runTool('dump', ['zz'], files)).stderr).toBe(
      'tuimark: open zz: no such file or directory\n',
    );
    expect((await runTool('dump', ['.'], files)).stderr).toBe('tuimark: read .: is a directory\n');
    expect((await runTool('dump', ['a.tui/x'], files)).stderr).toBe(
      'tuimark: open a.tui/x: not a directory\n',
    );
    expect((await runTool('dump', ['a\u0000b'], files)).stderr).toBe(
      'tuimark: open a\u0000b: invalid argument\n',
    );
  });
});
