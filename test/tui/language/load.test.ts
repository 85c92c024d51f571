import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runTool } from '../../../src/tui/commands/tools.ts';
import { loadDocument } from '../../../src/tui/language/load.ts';
import { doc, type MemoryFiles, memoryFiles, tool } from '../tools.ts';

const STYLED = doc('<text class="a">{word}</text>', 2, '<style src="a.tcss"/>');

function styledFiles(): MemoryFiles {
  return memoryFiles({ 'a.tui': STYLED, 'a.tcss': '.a { bold: true }', d: '{"word":"one"}' });
}

const dump = async (files: MemoryFiles, flags = '--styles'): Promise<string> =>
  (await tool(`dump a.tui --data d --cols 20 --rows 3 --format json ${flags}`.trim(), files))
    .stdout;

/** The same without anything kept: nobody has asked from that directory before. */
let elsewhere = 0;
function anew(files: MemoryFiles): MemoryFiles {
  elsewhere += 1;
  return { ...files, cwd: `/elsewhere${elsewhere}` };
}

describe('documents kept between calls', () => {
  test('U-145 an edit of the document is seen by the next call', async () => {
    const files = styledFiles();
    expect(await dump(files)).toContain('"one');
    files.content.set('/w/a.tui', STYLED.replace('{word}', 'new {word}'));
    expect(await dump(files)).toContain('"new one');
    files.content.set('/w/a.tui', '<tui');
    expect(await dump(files)).toContain('V005');
  });

  test('U-145 an edit of one letter that leaves the length alone is seen', async () => {
    const files = styledFiles();
    await dump(files);
    files.content.set('/w/a.tui', STYLED.replace('{word}', '{wort}'));
    expect(await dump(files)).toContain('bind path \\"wort\\" is missing');
  });

  test('U-102 an edit of a sheet, its removal and its return are seen', async () => {
    const files = styledFiles();
    const before = await dump(files);
    expect(before).toContain('"bold"');
    files.content.set('/w/a.tcss', '.a { dim: true }');
    expect(await dump(files)).toContain('"dim"');
    files.content.delete('/w/a.tcss');
    expect(await dump(files)).toContain('V006');
    files.content.set('/w/a.tcss', '.a { bold: true }');
    expect(await dump(files)).toBe(before);
  });

  test('U-102 a sheet that the document no longer names changes nothing', async () => {
    const files = styledFiles();
    await dump(files);
    files.content.set('/w/a.tui', STYLED.replace('a.tcss', 'b.tcss'));
    files.content.set('/w/b.tcss', '.a { italic: true }');
    const after = await dump(files);
    expect(after).toContain('"italic"');
    expect(after).not.toContain('"bold"');
  });

  test('U-145 an edit of the data is seen', async () => {
    const files = styledFiles();
    await dump(files);
    files.content.set('/w/d', '{"word":"two"}');
    expect(await dump(files)).toContain('"two');
  });

  test('U-146 every call reads its files, the document first', async () => {
    const files = styledFiles();
    await dump(files);
    files.reads.length = 0;
    await dump(files);
    expect([files.reads[0], ...files.reads.slice(1).sort()]).toEqual(['a.tui', 'a.tcss', 'd']);
  });

  test('U-009 the same path under another directory is another document', async () => {
    const files = styledFiles();
    await dump(files);
    const other = memoryFiles({ 'a.tui': doc('<text>other</text>'), d: '{}' });
    expect(await dump({ ...other, cwd: '/v' })).toContain('"other');
    expect(await dump(files)).toContain('"one');
  });

  test('U-191 what a play writes does not reach the next call', async () => {
    const files = styledFiles();
    const first = await dump(files);
    await tool(['play', 'a.tui', '--data', 'd', '--input', 'set:word="changed"'], files);
    expect(await dump(files)).toBe(first);
  });

  test('nothing that a tool does writes to what is kept', async () => {
    const files = styledFiles();
    const lines = [
      'dump a.tui --data d --format json --styles --cells',
      'dump a.tui --data d --theme light',
      'validate a.tui --data d --json',
      'inspect a.tui --data d --at 1,0',
      'play a.tui --data d --input tab --format json',
    ];
    const before = [];
    for (const line of lines) before.push(await tool(line, files));
    const { document, sheets, diagnostics, work } = await loadDocument(files, 'a.tui');
    deepFreeze([document, sheets, diagnostics]);
    for (const cascade of work.cascades.values()) {
      for (const styled of cascade.cache.values()) deepFreeze(styled);
    }
    const after = [];
    for (const line of lines) after.push(await tool(line, files));
    expect(after).toEqual(before);
    expect((await loadDocument(files, 'a.tui')).document).toBe(document);
  });

  test('U-146 the samples in turns, twice over, draw what each draws alone', async () => {
    const folder = join(import.meta.dirname, '../../../samples/tui');
    const content: Record<string, Uint8Array> = {};
    for (const name of readdirSync(folder)) content[name] = readFileSync(join(folder, name));
    const files = memoryFiles(content);
    const calls: [string, string[]][] = [];
    for (const name of Object.keys(content).filter((file) => file.endsWith('.tui'))) {
      const stem = name.slice(0, -'.tui'.length);
      const data = `${stem}.json` in content ? ['--data', `${stem}.json`] : [];
      for (const size of ['40x12', '120x30']) {
        const [cols, rows] = size.split('x');
        const words = [name, ...data, '--cols', cols!, '--rows', rows!, '--format', 'json'];
        calls.push(['dump', [...words, '--styles']]);
        calls.push(['dump', [...words, '--styles', '--theme', 'light']]);
        calls.push(['play', [...words, '--input', 'tab down space']]);
      }
    }
    expect(calls.length).toBeGreaterThan(6);
    const alone = [];
    for (const [command, words] of calls) alone.push(await runTool(command, words, anew(files)));
    for (let turn = 0; turn < 2; turn++) {
      for (const [i, [command, words]] of calls.entries()) {
        expect(await runTool(command, words, files)).toEqual(alone[i]);
      }
    }
  });
});

/** Freezes objects and lists below; what Maps hold too. */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of value instanceof Map ? value.values() : Object.values(value)) {
    deepFreeze(inner);
  }
}
