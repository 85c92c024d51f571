import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMarkup } from '../../../src/tui/language/parse.ts';
import { formatMarkup } from '../../../src/tui/markup/format.ts';
import { memoryFiles, tool } from '../tools.ts';

const CASES = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'tui', 'cases');

function format(text: string): string {
  const read = readMarkup(new TextEncoder().encode(text), 'a.tui');
  if ('fault' in read) throw new Error(read.fault.msg);
  return formatMarkup(read.markup);
}

describe('fmt', () => {
  test('U-168 one element per line, attributes in order, empty elements closed at once', () => {
    expect(
      format(
        '<?xml version="1.0"?><!--a--><tui  version="2"><screen if="x" class:b="c"  class="k" class:a="d" id="s" ><box>\n </box><!-- c\n d --></screen></tui><!-- z -->',
      ),
    ).toBe(
      '<!--a-->\n<tui version="2">\n  <screen id="s" class="k" class:b="c" class:a="d" if="x">\n    <box/>\n    <!-- c\n d -->\n  </screen>\n</tui>\n<!-- z -->\n',
    );
  });

  test('U-169 bodies of texts and sheets', () => {
    expect(
      format(
        '<tui><text> a  b </text><button>\n x\n\n  y </button><column> </column><text>a<!--c-->b</text><style>\n\n    a {\n\tb: c;  \n\n    }\n</style><screen> stray\n text </screen></tui>',
      ),
    ).toBe(
      '<tui>\n  <text>a  b</text>\n  <button>\n    x\n\n    y\n  </button>\n  <column/>\n  <text>\n    a\n    <!--c-->\n    b\n  </text>\n  <style>\n       a {\n    b: c;\n\n       }\n  </style>\n  <screen>\n    stray\n    text\n  </screen>\n</tui>\n',
    );
  });

  test('U-170 escapes', () => {
    expect(
      format(
        '<tui a="&lt;&gt;&amp;&quot;\'"><text>&lt;&gt;&amp;&quot;<![CDATA[<x>]]></text><style><![CDATA[a > b { x: "&<" } ]]]]><![CDATA[>]]></style></tui>',
      ),
    ).toBe(
      '<tui a="&lt;>&amp;&quot;\'">\n  <text>&lt;&gt;&amp;"&lt;x&gt;</text>\n  <style>\n    a > b { x: "&amp;&lt;" } ]]&gt;\n  </style>\n</tui>\n',
    );
  });

  test('U-167 not well-formed: V005 on stderr, exit 2; other diagnostics do not matter', async () => {
    expect(await tool('fmt a.tui', { 'a.tui': '<tui' })).toEqual({
      stdout: '',
      stderr: 'error V005 a.tui:1:1 unclosed <tui> (end of input inside the start tag)\n',
      exitCode: 2,
    });
    expect((await tool('fmt a.tui', { 'a.tui': '<html><x/></html>' })).stdout).toBe(
      '<html>\n  <x/>\n</html>\n',
    );
  });

  test('U-167 --check says nothing when identical, else names the path; it wins over --write', async () => {
    const files = memoryFiles({ 'a.tui': '<tui/>', 'b.tui': '<tui/>\n' });
    expect(await tool('fmt --check --write a.tui', files)).toEqual({
      stdout: 'a.tui\n',
      stderr: '',
      exitCode: 2,
    });
    expect(files.content.get('/w/a.tui')).toBe('<tui/>');
    expect(await tool('fmt --check b.tui', files)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(await tool('fmt --write a.tui', files)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(files.content.get('/w/a.tui')).toBe('<tui/>\n');
  });

  test('U-168 formatting is idempotent and keeps the model', () => {
    const text = fc.constantFrom(
      'a',
      ' b ',
      '\n',
      '&lt;',
      '<!--c-->',
      '<![CDATA[ x ]]>',
      '{p}',
      '\t',
    );
    const tag = fc.constantFrom('text', 'box', 'style', 'button', 'item');
    const element = fc.letrec((tie) => ({
      node: fc.oneof({ maxDepth: 4 }, text, tie('element')),
      element: fc
        .tuple(tag, fc.array(tie('node'), { maxLength: 4 }))
        .map(([name, children]) => `<${name} z="1" id="&quot;">${children.join('')}</${name}>`),
    })).element as fc.Arbitrary<string>;
    fc.assert(
      fc.property(element, (markup) => {
        const once = format(markup);
        expect(format(once)).toBe(once);
        expect(once.endsWith('>\n')).toBe(true);
      }),
    );
  });

  test.skipIf(!existsSync(CASES))(
    'U-168 the conformance documents format to a fixed point (SKIPPED without ../shared)',
    () => {
      let count = 0;
      for (const folder of readdirSync(CASES)) {
        for (const name of readdirSync(join(CASES, folder)).filter((file) =>
          file.endsWith('.tui'),
        )) {
          const read = readMarkup(readFileSync(join(CASES, folder, name)), name);
          if ('fault' in read) continue;
          const once = formatMarkup(read.markup);
          expect(format(once)).toBe(once);
          count++;
        }
      }
      expect(count).toBeGreaterThan(20);
    },
  );
});
