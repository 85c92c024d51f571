import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/tui/language/parse.ts';
import { check, parse } from '../check.ts';

const OK = '<tui version="1"><screen/></tui>';

/** A document that is not well-formed has exactly this one finding. */
function expectFault(text: string, place: string, msg: string): void {
  expect(check(text)).toEqual([`error V005 ${place} ${msg}`]);
}

describe('positions and line ends', () => {
  test('U-002 columns count code points, after the byte-order mark is gone', () => {
    expectFault(
      '\ufeff<tui>😀é&x;</tui>',
      '1:8',
      'entity &x; is not allowed (only &lt; &gt; &amp; &quot; &apos;)',
    );
  });

  test('U-003 CR LF and a lone CR each count as one line end', () => {
    expectFault(
      '<tui>\r\n\r&x;</tui>',
      '3:1',
      'entity &x; is not allowed (only &lt; &gt; &amp; &quot; &apos;)',
    );
  });

  test('U-004 the file of a diagnostic is the base name, absent without a path', () => {
    expect(parseDocument(new Uint8Array([0xff]), '').diagnostics[0]!.file).toBe('');
    expect(parse('').diagnostics[0]!.file).toBe('a.tui');
  });
});

describe('one violation stops a document', () => {
  test('U-010 it carries a place but no path and no id, and the tree is empty', () => {
    const document = parse('<tui version="9"><lsit/></tui');
    expect(document.root).toBeNull();
    expect(document.screens).toEqual([]);
    expect(document.diagnostics).toHaveLength(1);
    expect(document.diagnostics[0]).toMatchObject({ code: 'V005', path: '', id: '' });
  });

  test('U-011 bytes that are not UTF-8 are refused at 1:1', () => {
    const document = parseDocument(new Uint8Array([0x3c, 0x61, 0xff]), 'a.tui');
    expect(document.diagnostics[0]).toMatchObject({
      line: 1,
      col: 1,
      msg: 'document is not valid UTF-8',
    });
  });
});

describe('U-012 XML declaration', () => {
  test.each([
    ['<?xml version="1.0"', '1:1', 'unterminated XML declaration'],
    [
      '<?xml?>',
      '1:1',
      `malformed XML declaration: expected whitespace and version="1.x" after '<?xml'`,
    ],
    ['<?xml encoding="utf-8"?>', '1:1', 'malformed XML declaration: expected version="1.x"'],
    ['<?xml ?>', '1:1', 'malformed XML declaration: expected version="1.x"'],
    [
      '<?xml version="2.0"?>',
      '1:1',
      'malformed XML declaration: unsupported version "2.0" (want 1.<digits>, such as 1.0)',
    ],
    [
      '<?xml version="1.0" encoding="latin1"?>',
      '1:1',
      'encoding must be UTF-8 (SPEC §5), got "latin1"',
    ],
    [
      '<?xml version="1.0" standalone="maybe"?>',
      '1:1',
      'standalone must be "yes" or "no", got "maybe"',
    ],
    ['<?xml version "1.0"?>', '1:15', `malformed XML declaration: expected '=' after "version"`],
    [
      '<?xml version=1.0?>',
      '1:15',
      'malformed XML declaration: expected a quoted value for "version"',
    ],
    ['<?xml version="1.0?>', '1:15', 'malformed XML declaration: unterminated value for "version"'],
    ['<?xml version="1.0" foo?>', '1:21', `malformed XML declaration: expected '?>'`],
    [
      '<?xml version="1.0" standalone="no" encoding="utf-8"?>',
      '1:37',
      `malformed XML declaration: expected '?>'`,
    ],
  ])('%s', (declaration, place, msg) => expectFault(declaration + OK, place, msg));

  test.each([
    "<?xml version='1.0' encoding = \"UTF-8\" standalone='yes' ?>",
    '<?xml version="1.1"?>\n',
  ])('U-012 %s is fine', (declaration) => expect(check(declaration + OK)).toEqual([]));
});

describe('around the root', () => {
  test.each([
    [' \n ', '2:2', 'document has no root element'],
    ['x<tui/>', '1:1', 'text before the root element'],
    [`${OK}<a/>`, '1:33', 'a document must have a single root element'],
    [`${OK} x`, '1:34', 'text after the root element'],
    ['\u00a0<tui/>', '1:1', 'text before the root element'],
  ])('U-013 %j', (text, place, msg) => expectFault(text, place, msg));

  test('U-013 U-017 comments and white space around the root are fine', () => {
    expect(check(`<!-- a -->\n${OK}\n<!-- b -->\t`)).toEqual([]);
  });

  test.each([
    ['<!DOCTYPE tui>', 'DTD/DOCTYPE is not allowed'],
    ['<!doctype tui>', 'DTD/DOCTYPE is not allowed'],
    ['<?php ?>', 'processing instructions are not allowed'],
    ['<!ELEMENT a>', 'declarations are not allowed'],
  ])('U-014 %s before the root and inside content', (text, msg) => {
    expectFault(text + OK, '1:1', msg);
    expectFault(`<tui>${text}</tui>`, '1:6', msg);
  });

  test('U-015 names start with a letter or underscore and keep their case', () => {
    expectFault('<1a/>', '1:1', "expected a tag name after '<'");
    expect(check('<tui version="1"><screen/><_é·-.9/></tui>')).toEqual([
      'error V001 1:27 /_é·-.9 unknown tag <_é·-.9>',
    ]);
  });
});

describe('U-016 elements', () => {
  const deep = '<box>'.repeat(255) + '</box>'.repeat(255);
  test.each([
    ['<>', '1:1', "expected a tag name after '<'"],
    ['<tui', '1:1', 'unclosed <tui> (end of input inside the start tag)'],
    ['<tui a', '1:1', 'unclosed <tui> (end of input inside the start tag)'],
    ['<tui a="1"b="2"/>', '1:11', 'expected whitespace before attribute in <tui>'],
    ['<tui 1/>', '1:6', 'bad attribute in <tui>'],
    ['<tui a/>', '1:6', 'attribute "a" in <tui> has no value (write a="...")'],
    ["<tui a='1'/>", '1:8', 'attribute "a" must use double quotes'],
    ['<tui a=1/>', '1:8', 'attribute "a" value must be double-quoted'],
    ['<tui a="1/>', '1:6', 'unterminated value for attribute "a"'],
    ['<tui a="<"/>', '1:6', "'<' is not allowed in attribute values (use &lt;)"],
    ['<tui a="1" a="2"/>', '1:12', 'duplicate attribute "a" in <tui>'],
    ['<tui>\n <box>', '2:2', 'unclosed <box>'],
    ['<tui></tui', '1:6', 'malformed closing tag </tui'],
    ['<tui>\n</box>', '2:1', 'closing tag </box> does not match <tui> opened at 1:1'],
    ['<tui>a ]]> b</tui>', '1:8', "']]>' is not allowed in character data (XML 1.0 §2.4)"],
    ['<tui><![CDATA[ x</tui>', '1:6', 'unterminated CDATA section'],
    [`<tui>${deep.replaceAll('box', 'col')}`, '1:2561', 'unclosed <tui>'],
  ])('U-016 element fault %#', (text, place, msg) => {
    if (msg === 'unclosed <tui>') expect(check(text)[0]).toContain('unclosed <tui>');
    else expectFault(text, place, msg);
  });

  test('U-016 U-232 256 levels are fine, 257 are not', () => {
    const nested = (n: number) =>
      `<tui version="1"><screen>${'<box>'.repeat(n)}${'</box>'.repeat(n)}</screen></tui>`;
    expect(check(nested(254))).toEqual([]);
    expectFault(nested(255), `1:${26 + 254 * 5}`, 'elements nested deeper than 256 levels');
  });

  test('U-016 white space is allowed around = and before the ends of tags', () => {
    expect(check('<tui version = "1" ><screen /></tui\n>')).toEqual([]);
  });
});

describe('U-017 comments', () => {
  test.each([
    ['<tui><!-- x</tui>', '1:6', 'unterminated comment'],
    ['<tui><!-- a -- b --></tui>', '1:6', '"--" is not allowed inside a comment'],
    [
      '<tui><!-- a\u0007 --></tui>',
      '1:12',
      'character U+0007 is not allowed in XML, even inside a comment',
    ],
    [
      '<tui><!--\u0085--></tui>',
      '1:10',
      'character U+0085 is not allowed in XML, even inside a comment',
    ],
  ])('U-017 %j', (text, place, msg) => expectFault(text, place, msg));

  test('U-017 a body that ends in a hyphen', () => {
    expect(check('<tui><!-- a ---></tui>')[0]).toMatch(
      /^error V005 1:6 a comment may not end with '--->'/,
    );
  });

  test('U-017 comments never affect the tree', () => {
    const { screens } = parse(
      '<tui version="1"><screen><!--c--><text>a<!--x-->b</text></screen></tui>',
    );
    expect(screens[0]!.children.map((child) => child.body?.source)).toEqual(['ab']);
  });
});

describe('entities and values', () => {
  test.each([
    ['<tui>a & b</tui>', '1:8', "bare '&' (write &amp;)"],
    ['<tui>&#65;</tui>', '1:6', 'entity &#65; is not allowed (only &lt; &gt; &amp; &quot; &apos;)'],
    [
      '<tui a="&nbsp;"/>',
      '1:9',
      'entity &nbsp; is not allowed (only &lt; &gt; &amp; &quot; &apos;)',
    ],
  ])('U-018 %s', (text, place, msg) => expectFault(text, place, msg));

  test('U-018 the five entities in text and values; CDATA is literal', () => {
    const { screens } = parse(
      '<tui version="1"><screen title="&lt;&quot;"><text>&lt;&gt;&amp;&quot;&apos;<![CDATA[&lt;<b>]]></text></screen></tui>',
    );
    expect(screens[0]!.title?.source).toBe('<"');
    expect(screens[0]!.children[0]!.body?.source).toBe('<>&"\'&lt;<b>');
  });

  test('U-019 attribute values keep their white space', () => {
    const { screens } = parse('<tui version="1"><screen class=" a  b "/></tui>');
    expect(screens[0]!.attributes[0]!.value).toBe(' a  b ');
  });
});

describe('bounded and total', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '/>',
    '</',
    '<tui version="2">',
    '</tui>',
    '<screen id="a">',
    '</screen>',
    '<text>',
    '</text>',
    '{a}',
    '{',
    '}',
    '&lt;',
    '&',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '"',
    '=',
    ' each="a as b"',
    '<list id="l">',
    '<item>',
    '<table',
    ' class:x="!y"',
    '\u0000',
    '\ud800',
    '<?xml version="1.0"?>',
    'é',
  );

  test('U-010 U-118 whatever the text, the result is a document whose findings all have a place', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const lines = text.replace(/\r\n?/g, '\n').split('\n').length;
        for (const { line, col, msg } of parse(text).diagnostics) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
          expect(col).toBeGreaterThanOrEqual(1);
          expect(msg).not.toBe('');
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('U-011 whatever the bytes, the result is a document', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(parseDocument(bytes, 'a.tui').diagnostics.length).toBeGreaterThan(0);
      }),
    );
  });

  test('U-016 U-232 nesting of 100,000 levels is one finding', () => {
    expectFault(
      '<a>'.repeat(100_000),
      `1:${256 * 3 + 1}`,
      'elements nested deeper than 256 levels',
    );
  });

  test('U-010 a 10 MB document is read in one pass', () => {
    const row = '<text class="a b c">hello {name} &amp; more</text>\n';
    const text = `<tui version="1"><screen>${row.repeat(Math.ceil(1e7 / row.length))}</screen></tui>`;
    expect(parse(text).diagnostics).toEqual([]);
  });
});
