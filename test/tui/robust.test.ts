import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../../src/tui/commands/result.ts';
import { doc, json, tool } from './tools.ts';

const CASES = join(import.meta.dirname, '..', '..', '..', 'shared', 'tui', 'cases');

/** A result that comes from the tool itself: a report, or a refusal with its reason. */
function expectOrderly({ stdout, stderr, exitCode }: ToolResult): void {
  expect(stderr).not.toContain('crash');
  expect(exitCode === 1 ? stdout : stderr).toBe('');
}

/** Every finding of a dump has a place in the file. */
async function expectPlaces(files: Record<string, string>): Promise<void> {
  const result = await tool(
    'dump a.tui --data d --cols 30 --rows 8 --format json --styles --cells',
    files,
  );
  expectOrderly(result);
  for (const { line, col, code } of JSON.parse(result.stdout).errors) {
    expect(code).toMatch(/^[VLB]\d{3}$/);
    expect(line).toBeGreaterThanOrEqual(1);
    expect(col).toBeGreaterThanOrEqual(1);
  }
}

const word = fc.constantFrom(
  'a',
  'b',
  'a.b',
  '!a',
  'true',
  '#x',
  '1',
  '50%',
  '1fr',
  'auto',
  '0',
  '999999999999999999999',
  'rows as r',
  'r.k',
  'wrap',
  'truncate',
  '漢',
  '1 2',
  '-1',
  'NaN',
  '',
);
const attribute = fc.tuple(
  fc.constantFrom(
    'width',
    'height',
    'pad',
    'border',
    'gap',
    'if',
    'hidden',
    'disabled',
    'each',
    'key',
    'bind',
    'checked',
    'mark',
    'open',
    'focus',
    'on:click',
    'on:select',
    'class',
    'class:z',
    'style',
    'wrap',
    'axis',
    'stick',
    'label',
    'title',
    'placeholder',
    'min',
    'max',
    'priority',
    'scale',
    'scope',
    'value',
    'focusable',
  ),
  fc.oneof(
    word,
    fc.constantFrom(
      'dock: top',
      'layout: grid; grid-columns: 3',
      'flex: 1',
      'display: none',
      'overflow: scroll',
      'width: 200%; min-width: 5',
      'color: $nope',
      'visibility: hidden',
    ),
  ),
);
const tag = fc.constantFrom(
  'col',
  'row',
  'box',
  'scroll',
  'list',
  'item',
  'text',
  'input',
  'button',
  'table',
  'column',
  'tabs',
  'tab',
  'modal',
  'progress',
  'sparkline',
  'hints',
  'rule',
  'spacer',
);
let serial = 0;
const element: fc.Arbitrary<string> = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('hi', '{a}', '{r.k}', '漢字 é', ''),
    tie('element'),
  ),
  element: fc
    .tuple(
      tag,
      fc.uniqueArray(attribute, { maxLength: 4, selector: ([name]) => name }),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.boolean(),
    )
    .map(([name, attributes, children, hasId]) => {
      const id = hasId ? ` id="i${serial++}"` : '';
      return `<${name}${id}${attributes.map(([n, v]) => ` ${n}="${v}"`).join('')}>${children.join('')}</${name}>`;
    }),
})).element as fc.Arbitrary<string>;
const data = fc.constantFrom(
  '{}',
  '{"a":{"b":[1,2]},"b":"x","rows":[{"k":1},{"k":"1"},null,3]}',
  '{"a":[],"b":1e308,"rows":{"x":1}}',
  '{"a":"\\u001b[1m\\n漢","b":null,"rows":[[],{},{"k":{"z":1}}]}',
);
const sheet = fc.constantFrom(
  '',
  'text { color: red }',
  '@media (max-cols: 40) { row { layout: column } }',
  '#i1 { dock: bottom; height: 1fr }',
  'box > text:focus { wrap: wrap; width: 3 }',
  'list { height: 2; scrollbar: auto; border: single }',
  '}{',
  '@media (x) {',
  '/*',
);

describe('fuzzed documents', () => {
  test('U-118 U-125 whatever the document, sheet and data, a dump is a report whose findings have a place', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(element, { maxLength: 4 }),
        data,
        sheet,
        fc.constantFrom(1, 2, 3),
        async (parts, d, css, version) => {
          const text = doc(
            parts.join(''),
            version,
            `<style>${css.replaceAll('>', '&gt;')}</style>`,
          );
          await expectPlaces({ 'a.tui': text, d });
        },
      ),
      { numRuns: 300 },
    );
  });

  test('U-134 U-180 every tool answers every document', async () => {
    const steps = fc.array(
      fc.constantFrom(
        'tab',
        'shift+tab',
        'down',
        'end',
        'enter',
        'space',
        'x',
        'esc',
        'click:3,2',
        'wheel-down:3,2',
        'resize:9x3',
        'set:a=[1]',
        'set:rows=[{"k":5}]',
        'focus:#i1',
        'pgdn',
        'backspace',
        'left',
      ),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(element, { maxLength: 3 }),
        data,
        steps,
        async (parts, d, input) => {
          const keymap =
            '<keymap><bind keys="x" action="check-toggle"/><bind keys="n" action="move-next" label="n"/></keymap>';
          const files = {
            'a.tui': doc(parts.join(''), 3, keymap).replace('<tui', '<tui mouse="true"'),
            d,
          };
          for (const line of [
            'validate a.tui --data d',
            'ir a.tui',
            'fmt a.tui',
            'inspect a.tui --data d --at 1,1 --json',
            'inspect a.tui --id s',
          ]) {
            const result = await tool(line, files);
            expect(result.stderr).not.toContain('crash');
          }
          expectOrderly(
            await tool(
              [
                'play',
                'a.tui',
                '--data',
                'd',
                '--frames',
                '--cols',
                '30',
                '--rows',
                '8',
                '--input',
                input.join(' '),
              ],
              files,
            ),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  test.skipIf(!existsSync(CASES))(
    'U-118 conformance documents with a random cut or change (SKIPPED without ../shared)',
    async () => {
      const texts = [
        'monitor/studio.tui',
        'dashboard/app.tui',
        'table/table.tui',
        'docs-tour/app.tui',
      ].map((name) => readFileSync(join(CASES, name), 'utf8'));
      const sheets = readdirSync(join(CASES, 'docs-tour')).filter((name) => name.endsWith('.tcss'));
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...texts),
          fc.nat(),
          fc.nat(8),
          fc.constantFrom('', '<', '>', '"', '&', '{', '}', 'x', '/', '<box>'),
          async (text, at, length, insert) => {
            const place = at % text.length;
            const changed = text.slice(0, place) + insert + text.slice(place + length);
            const files: Record<string, string> = { 'a.tui': changed, d: '{}' };
            for (const name of sheets)
              files[name] = readFileSync(join(CASES, 'docs-tour', name), 'utf8');
            await expectPlaces(files);
          },
        ),
        { numRuns: 150 },
      );
    },
  );
});

describe('bad and huge input', () => {
  const empty = { d: '{}' };

  test('U-009 a directory, a missing file, bytes that are not UTF-8', async () => {
    for (const line of ['validate', 'dump', 'play', 'ir', 'fmt']) {
      expectOrderly(await tool(`${line} dir`, { dir: null }));
      expectOrderly(await tool(`${line} zz`, {}));
      const { stderr, stdout } = await tool(`${line} a.tui`, {
        'a.tui': new Uint8Array([0x3c, 0xc3, 0x28]),
      });
      expect(stdout + stderr).toMatch(/V005|document is not valid UTF-8/);
    }
  });

  test('U-232 a thousand by a thousand cells', async () => {
    const { stdout } = await tool('dump a.tui --cols 1000 --rows 1000', {
      'a.tui': doc('<box border="1" title="{a}"/>'),
    });
    expect(stdout.startsWith('=== grid 1000x1000 ===\n')).toBe(true);
  });

  test('U-010 U-118 more elements or attributes than anyone writes are one finding', async () => {
    for (const [text, told] of [
      [doc('<col/>'.repeat(250_001)), 'document has more than 250000 elements'],
      [doc('&amp;'.repeat(2_000_001)), 'document has more than 2000000 attributes'],
    ] as const) {
      const result = await tool('dump a.tui --rows 2', { 'a.tui': text });
      expectOrderly(result);
      expect(result.stdout).toContain(`error V005 a.tui:1:`);
      expect(result.stdout).toContain(told);
    }
  }, 60_000);

  test('U-103 a sheet with more rules than anyone writes is read up to there', async () => {
    const t = `text { bold: true } ${'text{dim:true}'.repeat(200_000)}`;
    const files = { 'a.tui': doc('<text>a</text>', 2, '<style src="t"/>'), t };
    const result = await tool('dump a.tui --format json --styles --cols 1 --rows 1', files);
    expectOrderly(result);
    const { errors, styles } = JSON.parse(result.stdout);
    expect(errors.map(({ code }: { code: string }) => code)).toEqual(['V003']);
    expect(errors[0].msg).toMatch(/^sheet has more than 250000 rules and declarations/);
    expect(styles[0][0].a).toEqual(['bold', 'dim']);
  }, 60_000);

  test('U-009 documents and sheets over 16 MB are files too large, data is not', async () => {
    const huge = new Uint8Array(16 * 1024 * 1024 + 1).fill(0x20);
    const document = await tool('dump a.tui', { 'a.tui': huge });
    expect(document).toEqual({
      stdout: '',
      stderr: 'tuimark: read a.tui: file too large\n',
      exitCode: 1,
    });
    const sheet = await tool('validate a.tui', {
      'a.tui': doc('', 2, '<style src="t"/>'),
      t: huge,
    });
    expect(sheet.stdout).toContain('V006');
    expect(sheet.stdout).toContain('cannot be read: file too large');
    huge.set(new TextEncoder().encode('{}'));
    expect((await tool('dump a.tui --data d', { 'a.tui': doc(''), d: huge })).exitCode).toBe(0);
  }, 60_000);

  test('U-144 data with more objects and arrays than anyone shows', async () => {
    const d = `{"a":[${'[],'.repeat(2_000_000)}0]}`;
    const result = await tool('dump a.tui --data d', { 'a.tui': doc(''), d });
    expectOrderly(result);
    expect(result.stderr).toBe('tuimark: d: more than 2000000 objects and arrays\n');
  }, 60_000);

  test('U-077 a frame of more boxes than we lay out is refused with a way on', async () => {
    const d = JSON.stringify({ rows: Array.from({ length: 130_000 }, (_, i) => i) });
    const list = '<list id="l" each="rows as r"><item><text>{r}</text></item></list>';
    for (const command of ['dump', 'validate', 'play']) {
      const result = await tool(`${command} a.tui --data d`, { 'a.tui': doc(list), d });
      expectOrderly(result);
      expect(result.stderr).toMatch(/^tuimark: the frame has more than 250000 boxes; .*table.*\n$/);
    }
    const table = '<table id="t" each="rows as r"><column title="n">{r}</column></table>';
    expect((await tool('dump a.tui --data d', { 'a.tui': doc(table), d })).exitCode).toBe(0);
  }, 60_000);

  test('G-109 numbers at the ends of the float range are drawn', async () => {
    const d = '{"rows":[-1e308,0,1e308,1.7e308,-1.7e308]}';
    const files = { 'a.tui': doc('<sparkline id="k" bind="rows"/>'), d };
    const { grid } = await json('dump a.tui --data d --cols 5 --rows 1 --format json', files);
    expect(grid).toEqual(['▂▄▆█ ']);
  });

  test('U-016 a document of 1 MB of flat text is dumped', async () => {
    const row = '<text class="a">row {q} of the table</text>\n';
    const files = {
      ...empty,
      'a.tui': doc(`<scroll>${row.repeat(Math.ceil(1e6 / row.length))}</scroll>`),
    };
    expectOrderly(await tool('dump a.tui', files));
  }, 60_000);

  test('U-118 30,000 findings are sorted and told', async () => {
    const { stdout, exitCode } = await tool('validate a.tui', {
      'a.tui': doc('<x/>\n'.repeat(30_000)),
    });
    expect(exitCode).toBe(2);
    expect(stdout.split('\n')).toHaveLength(30_001);
  }, 60_000);

  test('U-102 a sheet of half a MB of broken rules', async () => {
    const files = {
      'a.tui': doc('', 2, '<style src="t"/>'),
      t: 'a { b: c; } } /* */ { '.repeat(100_000),
    };
    expectOrderly(await tool('validate a.tui', files));
  }, 60_000);

  test('U-103 sheets on one line, nested deep, or matching everything', async () => {
    const body = '<text class="a">x</text>'.repeat(50);
    const sheets = [
      '.a{bold:true}'.repeat(10_000),
      Array.from({ length: 10_000 }, (_, i) => `.a${i}{bold:true}`).join(''),
      '@a {'.repeat(50_000),
      '@media (max-cols: 5) {'.repeat(50_000),
      'a {'.repeat(50_000),
      `${'text > '.repeat(50_000)}text {}`,
      `${'.a'.repeat(100_000)}{bold:true}`,
    ];
    for (const t of sheets) {
      expectOrderly(await tool('dump a.tui', { 'a.tui': doc(body, 3, '<style src="t"/>'), t }));
    }
  }, 60_000);

  test('G-059 U-232 documents nested to the limit are laid out', async () => {
    const nests: [string, string][] = [
      ['<row><col style="width: auto; height: auto">', '</col></row>'],
      ['<box style="dock: top"><box>', '</box></box>'],
      ['<box style="layout: grid"><scroll>', '</scroll></box>'],
    ];
    for (const [open, close] of nests) {
      const body = `${open.repeat(120)}<text wrap="wrap">x y z</text>${close.repeat(120)}`;
      expectOrderly(await tool('dump a.tui', { 'a.tui': doc(body) }));
    }
  }, 60_000);

  test('U-041 attributes of a megabyte', async () => {
    const long = 'a.'.repeat(500_000);
    for (const body of [
      `<text if="${long}"/>`,
      `<text width="${'1'.repeat(1e6)}"/>`,
      `<text class="${'a b '.repeat(2e5)}"/>`,
      `<progress value="${'9'.repeat(1e6)}"/>`,
      `<text style="${'x;'.repeat(5e5)}"/>`,
      `<text>${'{'.repeat(1e6)}</text>`,
      `<text>${'{a}'.repeat(3e5)}</text>`,
      `<col each="${' as '.repeat(2e5)}"/>`,
    ]) {
      expectOrderly(await tool('dump a.tui', { 'a.tui': doc(body) }));
    }
  }, 60_000);

  test('U-093 20,000 key rows that name ids', async () => {
    const rows = '<bind keys="a,b" action="move-next" when="#x:focus" to="#x"/>'.repeat(20_000);
    expectOrderly(
      await tool('validate a.tui', {
        'a.tui': doc('<scroll id="x"/>', 2, `<keymap>${rows}</keymap>`),
      }),
    );
  }, 60_000);

  test('U-007 data nested 10,000 deep is shown, written and replayed', async () => {
    const deep = `{"a":${'['.repeat(9_990)}${']'.repeat(9_990)}}`;
    const files = {
      'a.tui': doc('<text>{a}</text><input id="i" bind="a" on:change="c"/>'),
      d: deep,
    };
    expectOrderly(await tool('dump a.tui --data d', files));
    expectOrderly(
      await tool(['play', 'a.tui', '--data', 'd', '--format', 'json', '--input', 'x'], files),
    );
    const over = { ...files, d: `${'['.repeat(10_001)}` };
    expect((await tool('dump a.tui --data d', over)).stderr).toBe(
      'tuimark: d: exceeded max depth\n',
    );
  });

  test('U-077 a list of 5,000 rows', async () => {
    const rows = JSON.stringify({ rows: Array.from({ length: 5_000 }, (_, k) => ({ k })) });
    const files = {
      'a.tui': doc(
        '<list id="l" each="rows as r" key="r.k"><item><text>{r.k}</text></item></list>',
      ),
      d: rows,
    };
    const { stdout } = await tool(['play', 'a.tui', '--data', 'd', '--input', 'end up'], files);
    expect(stdout).toContain('4998');
  }, 60_000);
});

describe('misplaced tags', () => {
  test('U-031 U-033 they stay in the tree, but what is never rendered has no node', async () => {
    const body =
      '<bind/><keymap/><style/><tui/><tab id="a" label="x"/><item/><column/><box><modal id="m" open="true"/></box>';
    const { stdout } = await tool('dump a.tui --format json', { 'a.tui': doc(body) });
    const tags = JSON.parse(stdout).nodes.map(({ tag }: { tag: string }) => tag);
    for (const never of ['bind', 'keymap', 'style', 'tui']) expect(tags).not.toContain(never);
    expect(tags).toContain('tab');
  });

  test('U-032 a strip shows its tabs only', async () => {
    const body =
      '<tabs id="t"><tabs id="u"><tab id="b" label="in"/></tabs><tab id="a" label="one"/><text>x</text></tabs>';
    const { stdout } = await tool('dump a.tui --cols 12 --rows 2', { 'a.tui': doc(body) });
    expect(stdout).toMatch(/^=== grid 12x2 ===\none {9}\n/);
  });
});
