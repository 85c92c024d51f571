import { describe, expect, test } from 'vitest';
import { doc, json, memoryFiles, tool } from '../tools.ts';

const TWO = '<tui version="2"><screen id="m"><text class="k">hi</text></screen></tui>';

describe('validate', () => {
  test('U-233 U-150 the worked example', async () => {
    const text = `<tui version="1">
  <screen id="s">
    <text>{ a }</text>
    <lsit/>
    <input/>
    <box id="b" width="3px"/>
  </screen>
</tui>
`;
    expect(await tool('validate app.tui', { 'app.tui': text })).toEqual({
      stdout: `error V003 app.tui:3:11 /screen/text { a } is not a path: write {a}, with no spaces inside the braces
error V001 app.tui:4:5 /screen/lsit unknown tag <lsit>
error V012 app.tui:5:5 /screen/input <input> is focusable and needs an id
error V003 app.tui:6:17 /screen/box width: bad size "3px" (want N, N%, Nfr, or auto)
`,
      stderr: '',
      exitCode: 2,
    });
  });

  test('U-234 U-151 --json of the worked example', async () => {
    const text = doc('', 1, '<keymap><bind keys="q" action="quit"/></keymap>');
    expect((await tool('validate a.tui --json', { 'a.tui': text })).stdout).toBe(`{
  "actions": [
    {
      "name": "quit",
      "builtin": true,
      "registered": false,
      "sources": [
        "keys q"
      ]
    }
  ],
  "diagnostics": [],
  "file": "a.tui",
  "ok": true
}
`);
  });

  test('U-150 warnings come before ok', async () => {
    const { stdout, exitCode } = await tool('validate a.tui', {
      'a.tui': doc('<list id="l" each="a as b"><item/></list>'),
    });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'warning B006 a.tui:1:33 /screen/list <list each="a as b"> has no key=; selection follows the index\nok\n',
    );
  });

  test('U-148 frames at 40, 80 and 120 columns under each theme, each finding once', async () => {
    const body = '<row><box width="60"/><box width="60"/></row>';
    const found = (await json('validate a.tui --json', { 'a.tui': doc(body) })).diagnostics;
    expect(
      found.map(({ msg }: { msg: string }) =>
        /need (\d+) cells.* has (\d+)/.exec(msg)!.slice(1).join('/'),
      ),
    ).toEqual(['120/40', '120/80']);
    const tokens = doc('<text style="color: $nope">a</text>');
    expect((await json('validate a.tui --json', { 'a.tui': tokens })).diagnostics).toHaveLength(1);
  });

  test('U-148 U-116 an auto document is looked at in both themes', async () => {
    const head =
      '<style>@media (theme: light) { :root { --pale: white } } text { color: $pale }</style>';
    const auto = doc('<text>a</text>', 2, head).replace('<tui', '<tui theme="auto"');
    const files = { 'a.tui': auto };
    expect((await tool('validate a.tui', files)).stdout).toContain('color: unknown token $pale');
    expect((await tool('validate a.tui --theme light', files)).stdout).toBe('ok\n');
  });

  test('U-149 U-125 without data what depends on data is left out', async () => {
    const files = {
      'a.tui': doc('<text if="a">{b}</text><text>{c}</text>'),
      'd.json': '{"a":true}',
    };
    expect((await tool('validate a.tui', files)).stdout).toBe('ok\n');
    const { stdout } = await tool('validate a.tui --data d.json', files);
    expect(stdout).toContain('warning B003');
    expect(
      stdout
        .split('\n')
        .slice(0, 2)
        .map((line) => line.replace(/^.*bind/, 'bind')),
    ).toEqual(['bind path "b" is missing', 'bind path "c" is missing']);
  });

  test('U-124 U-086 --strict makes missing bind paths errors', async () => {
    const files = { 'a.tui': doc('<text>{b}</text>'), 'd.json': '{}' };
    expect((await tool('validate a.tui --data d.json', files)).exitCode).toBe(0);
    const strict = await tool('validate a.tui --data d.json --strict', files);
    expect(strict.exitCode).toBe(2);
    expect(strict.stdout).toMatch(/^error B003 /);
    expect((await tool('validate a.tui --strict', files)).exitCode).toBe(0);
  });

  test('U-128 V010 is found on screens and in modals that are not shown', async () => {
    const body = '<modal id="m"><box style="dock: top; height: 1fr"/></modal>';
    const { stdout, exitCode } = await tool('validate a.tui', { 'a.tui': doc(body) });
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(
      /^error V010 a\.tui:1:47 \/screen\/modal\/box dock: top and an fr\/flex size on the same axis; /,
    );
  });

  test('U-010 a broken document has only its V005', async () => {
    expect((await tool('validate a.tui', { 'a.tui': '<tui>' })).stdout).toBe(
      'error V005 a.tui:1:1 unclosed <tui>\n',
    );
  });

  test.each([
    ['["save"]', 'ok\n'],
    ['{"actions":[{"name":"save"},5,{"name":7}]}', 'ok\n'],
    [
      '[]',
      'warning B004 a.tui:1:33 /screen/text action "save" (on:click) is not in the catalog\nok\n',
    ],
  ])('U-130 U-152 U-129 catalog %s', async (catalog, stdout) => {
    const files = { 'a.tui': doc('<text on:click="save">a</text>'), 'c.json': catalog };
    expect((await tool('validate a.tui --catalog c.json', files)).stdout).toBe(stdout);
  });

  test('U-130 the actions of validate --json are a catalog', async () => {
    const files = memoryFiles({ 'a.tui': doc('<text on:click="save">a</text>') });
    files.content.set('/w/c.json', (await tool('validate a.tui --json', files)).stdout);
    expect((await tool('validate a.tui --catalog c.json', files)).stdout).toBe('ok\n');
  });

  test('U-152 U-130 a bad catalog is exit 1 although the document was rendered', async () => {
    const files = { 'a.tui': doc('<lsit/>'), 'c.json': '{}' };
    expect(await tool('validate a.tui --catalog c.json', files)).toEqual({
      stdout: '',
      stderr: 'tuimark: c.json: want a JSON array of action names (or {"actions": [...]})\n',
      exitCode: 1,
    });
    expect((await tool('validate a.tui --catalog=', files)).exitCode).toBe(2);
    expect((await tool('validate a.tui --catalog zz', files)).stderr).toContain('open zz');
  });
});

describe('stylesheets', () => {
  const sheet = (src: string) => doc('<text>a</text>', 2, `<style src="${src}"/>`);

  test.each([
    ['a.tui', 'style src="a.tui" includes a .tui document (include cycle)'],
    ['other.tui', 'style src="other.tui" includes a .tui document (include cycle)'],
    ['zz.tcss', 'style src="zz.tcss" cannot be read: no such file or directory'],
    ['dir', 'style src="dir" cannot be read: is a directory'],
  ])('U-102 src=%s', async (src, msg) => {
    const { diagnostics } = await json('validate a.tui --json', { 'a.tui': sheet(src), dir: null });
    expect(diagnostics).toEqual([
      { severity: 'error', code: 'V006', msg, file: 'a.tui', line: 1, col: 18, path: '/style' },
    ]);
  });

  test('U-102 twice by another spelling; relative to the document', async () => {
    const text = doc('<text>a</text>', 2, '<style src="t.tcss"/><style src="./x/../t.tcss"/>');
    const { diagnostics } = await json('validate sub/a.tui --json', {
      'sub/a.tui': text,
      'sub/t.tcss': 'text {}',
    });
    expect(diagnostics.map(({ msg }: { msg: string }) => msg)).toEqual([
      'style src="./x/../t.tcss" is included twice (include cycle)',
    ]);
  });

  test('U-004 U-104 U-118 a problem in a sheet has its file and place, no path', async () => {
    const files = { 'a.tui': sheet('sub/t.tcss'), 'sub/t.tcss': '\ntext { frob: 1 }' };
    const { diagnostics } = await json('validate a.tui --json', files);
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        code: 'V003',
        msg: 'unknown property "frob"',
        file: 't.tcss',
        line: 2,
        col: 8,
      },
    ]);
  });

  test('U-104 an inline sheet continues the positions of the document, entities included', async () => {
    const text = doc('', 2, '<style>/* &lt; */\n  col &gt; text { frob: 1 } </style>');
    const { diagnostics } = await json('validate a.tui --json', { 'a.tui': text });
    expect(diagnostics[0]).toMatchObject({ file: 'a.tui', line: 2, col: 19 });
  });

  test('U-003 a lone CR starts a line in a sheet', async () => {
    const files = { 'a.tui': sheet('t.tcss'), 't.tcss': 'text {}\rfrob {}' };
    expect((await json('validate a.tui --json', files)).diagnostics[0]).toMatchObject({
      line: 2,
      col: 1,
    });
  });

  test('U-103 an external sheet may start with a byte-order mark', async () => {
    const files = { 'a.tui': sheet('t.tcss'), 't.tcss': '\ufefftext { bold: true }' };
    expect((await tool('validate a.tui', files)).stdout).toBe('ok\n');
  });
});

describe('dump', () => {
  const files = { 'a.tui': TWO };
  const JSON_FORM = `{
  "cols": 6,
  "rows": 2,
  "ok": true,
  "focus": null,
  "errors": [],
  "nodes": [
    {
      "id": "m",
      "tag": "screen",
      "x": 0,
      "y": 0,
      "w": 6,
      "h": 2
    },
    {
      "tag": "text",
      "x": 0,
      "y": 0,
      "w": 6,
      "h": 1,
      "text": "hi",
      "classes": [
        "k"
      ]
    }
  ],
  "grid": [
    "hi    ",
    "      "
  ]
}
`;

  test('U-235 U-153 U-155 U-156 U-159 the worked example as JSON', async () => {
    const { stdout } = await tool('dump a.tui --cols 6 --rows 2 --format json', files);
    expect(stdout).toBe(JSON_FORM);
  });

  test('U-235 U-154 the worked example as text; --cells and --styles change nothing', async () => {
    const { stdout } = await tool('dump a.tui --cols 6 --rows 2 --cells --styles', files);
    expect(stdout).toBe(
      '=== grid 6x2 ===\nhi    \n      \n=== nodes ===\nm  screen  6x2 @(0,0)\n-  text    6x1 @(0,0)\n=== errors ===\nok\n',
    );
  });

  test('U-160 cells, with owners and wide clusters', async () => {
    const { cells, wide } = await json('dump a.tui --cols 4 --rows 1 --format json --cells', {
      'a.tui': doc('<text id="t">漢a</text>'),
    });
    expect(wide).toBe(true);
    expect(cells).toEqual([
      { x: 0, y: 0, ch: '漢', id: 't', w: 2 },
      { x: 1, y: 0, ch: '', id: 't' },
      { x: 2, y: 0, ch: 'a', id: 't' },
      { x: 3, y: 0, ch: ' ', id: 't' },
    ]);
  });

  test('U-161 U-073 styles, under the flag or the document theme', async () => {
    const body = '<row height="1"><text style="color: $accent; bold: true">a</text></row>';
    const styled = { 'a.tui': doc(body, 1) };
    const dump = await json('dump a.tui --cols 3 --rows 1 --format json --styles', styled);
    expect([dump.theme, dump.styles]).toEqual([
      'dark',
      [
        [
          { x: 0, w: 1, fg: 'cyan', bg: 'default', a: ['bold'] },
          { x: 1, w: 2, fg: 'default', bg: 'default' },
        ],
      ],
    ]);
    expect((await json('dump a.tui --format json --styles --theme light', styled)).theme).toBe(
      'light',
    );
  });

  test('U-157 U-158 viewports report their scroll, modals come after the screen', async () => {
    const { nodes } = await json('dump a.tui --cols 5 --rows 3 --format json', {
      'a.tui': doc(
        '<scroll id="v" height="2"><text>a\nb\nc</text></scroll><modal id="m" open="true"/>',
      ),
    });
    expect(nodes.map(({ tag, scroll }: { tag: string; scroll: unknown }) => [tag, scroll])).toEqual(
      [
        ['screen', undefined],
        ['scroll', { y: 0, h: 3 }],
        ['text', undefined],
        ['modal', undefined],
      ],
    );
  });

  test('U-010 U-021 a blank frame', async () => {
    const broken = await json('dump a.tui --cols 2 --rows 1 --format json', { 'a.tui': '<tui' });
    expect(broken).toMatchObject({ ok: false, focus: null, nodes: [], grid: ['  '] });
    const bare = await json('dump a.tui --cols 2 --rows 1 --format json', {
      'a.tui': '<tui version="1"/>',
    });
    expect(bare).toMatchObject({ nodes: [], grid: ['  '], errors: [{ code: 'V005', path: '/' }] });
  });
});

describe('ir', () => {
  test('U-162 errors go to stderr, nothing to stdout', async () => {
    const files = { 'a.tui': doc('<lsit/>', 2, '<style>text { color: $nope }</style>') };
    const { stdout, stderr, exitCode } = await tool('ir a.tui', files);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toBe(
      'error V003 a.tui:1:32 color: unknown token $nope\nerror V001 a.tui:1:69 /screen/lsit unknown tag <lsit>\n',
    );
  });

  const text = `<tui version="3" theme="light" mouse="m">
  <style src="t.tcss"/>
  <style>
    :root { --mine: red }
    @media (max-cols: 10) { :root { --small: blue } }
    @media (theme: dark) { :root { --night: black } }
  </style>
  <keymap when="#s"><bind keys="q,x" action="quit" keycap=""/><bind keys="g" action="focus" to="#b" when=""/></keymap>
  <screen id="s" title="T" focus="#b"><button id="b" class="x y" class:z="!w" pad="1" border="1" width="3" style="width: 4; bold: true" if="a" disabled="d" on:focus="f" on:click="c">Go</button><col each="r as i" key="i.k"><text>{i.n}</text></col></screen>
</tui>`;
  const files = { 'a.tui': text, 't.tcss': 'text {}' };

  test('U-163 U-166 version, app, sheets, tokens', async () => {
    const ir = await json('ir a.tui', files);
    expect(Object.keys(ir)).toEqual(['version', 'app', 'stylesheets', 'tokens', 'keymap', 'root']);
    expect(ir.version).toBe('0.3');
    expect(ir.app).toEqual({ title: 'T', theme: 'light', focus: '#b', mouse: 'm' });
    expect(ir.stylesheets).toEqual(['t.tcss']);
    expect(ir.tokens).toMatchObject({ mine: 'red', small: 'blue', bg: '#ffffff' });
    expect(ir.tokens.night).toBeUndefined();
    expect(Object.keys(ir.tokens)).toEqual([...Object.keys(ir.tokens)].sort());
  });

  test('U-164 keymap entries', async () => {
    expect((await json('ir a.tui', files)).keymap).toEqual([
      { keys: 'q,x', action: 'quit', when: '#s', keycap: '' },
      { keys: 'g', action: 'focus', to: '#b' },
    ]);
  });

  test('U-165 nodes', async () => {
    const { root } = await json('ir a.tui', files);
    const [button, col] = root.children[3].children;
    expect(button).toEqual({
      id: 'b',
      kind: 'button',
      classes: ['x', 'y'],
      attrs: { 'class:z': '!w', disabled: 'd' },
      bind: '',
      each: '',
      if: 'a',
      on: { click: 'c', focus: 'f' },
      style: { bold: 'true', border: 'single', padding: '1', width: '4' },
      text: 'Go',
      children: [],
    });
    expect(Object.keys(button.on)).toEqual(['click', 'focus']);
    expect(col).toMatchObject({ each: 'r as i', attrs: { key: 'i.k' } });
    expect(col.children[0].text).toBe('{i.n}');
    expect(root.children[1]).toMatchObject({ kind: 'style' });
    expect(root.children[1].text.split('\n')[0]).toBe(':root { --mine: red }');
  });

  test('U-163 U-165 the spike', async () => {
    const ir = await json('ir a.tui', { 'a.tui': '<app><text>a</text></app>' });
    expect(ir).toMatchObject({
      version: '0.1',
      app: { title: '', theme: '', focus: '' },
      root: { kind: 'col' },
    });
  });
});

describe('inspect', () => {
  const files = {
    'a.tui': doc(
      '<text id="t" class="k" class:on="a" width="3">hi</text>',
      2,
      '<style>.k { width: 5; bold: true }</style>',
    ),
  };

  test.each([
    ['', 'inspect: give exactly one of --at X,Y and --id ID'],
    ['--at 0,0 --id t', 'inspect: give exactly one of --at X,Y and --id ID'],
    ['--at= --id=', 'inspect: give exactly one of --at X,Y and --id ID'],
    ['--at 5', 'inspect: --at "5": want X,Y'],
    ['--at 1,-1', 'inspect: --at "1,-1": want X,Y (0-based decimal cells)'],
    ['--at 80,0', 'inspect: --at 80,0 is outside the 80x24 grid'],
    [
      '--at 0,99999999999999999999999',
      'inspect: --at 0,99999999999999999999999 is outside the 80x24 grid',
    ],
    ['--id=', 'inspect: --id wants an id'],
    ['--id zz', 'inspect: --id zz: no laid-out node has that id'],
  ])('U-196 U-197 U-198 %s', async (words, message) => {
    const { stderr, exitCode } = await tool(`inspect a.tui ${words}`.trim(), files);
    expect([exitCode, stderr]).toEqual([1, `tuimark: ${message}\n`]);
  });

  test('U-198 a blank frame has no node', async () => {
    const { stderr } = await tool('inspect a.tui --at 0,0', { 'a.tui': '<tui' });
    expect(stderr).toBe('tuimark: inspect: the frame has no node to inspect\n');
  });

  test('U-200 U-203 U-204 U-205 U-206 the JSON report', async () => {
    const report = await json('inspect a.tui --at 0,0 --json', files);
    expect(Object.keys(report)).toEqual([
      'cols',
      'rows',
      'ok',
      'node',
      'path',
      'cell',
      'pseudo',
      'classes',
      'style',
    ]);
    expect(report.path).toBe('/screen#s/text#t');
    expect(report.classes).toEqual([
      { name: 'k', from: 'class', active: true, used: true },
      { name: 'on', from: 'class:on', guard: 'a', active: false, used: false },
    ]);
    expect(report.style).toHaveLength(33);
    expect(report.style.find(({ prop }: { prop: string }) => prop === 'width')).toEqual({
      prop: 'width',
      value: '5',
      origin: 'author',
      rule: { file: 'a.tui', line: 1, col: 30, selector: '.k', specificity: 10 },
      overridden: [
        {
          value: '3',
          origin: 'attribute',
          rule: { file: 'a.tui', line: 1, col: 111, selector: 'width="3"', specificity: 0 },
        },
        {
          value: 'auto',
          origin: 'ua',
          rule: { file: '<ua>', line: 6, col: 10, selector: 'text', specificity: 1 },
        },
      ],
    });
  });

  test('U-207 U-208 the text report', async () => {
    const { stdout, exitCode } = await tool('inspect a.tui --at 0,0', files);
    expect(exitCode).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 6)).toEqual([
      't  text  5x1 @(0,0)',
      'path: /screen#s/text#t',
      'cell: 0,0 "h" id t',
      'pseudo: -',
      'class .k from class active',
      'class .on from class:on="a" inactive (no rule names it)',
    ]);
    expect(lines).toContain('width: 5  author  a.tui:1:30 .k (specificity 10)');
    expect(lines).toContain('    overrides 3  attribute  a.tui:1:111 width="3" (specificity 0)');
  });
});
