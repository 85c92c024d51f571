import { describe, expect, test } from 'vitest';
import { firstDifference, firstLoss } from '../../../src/tui/commands/golden-diff.ts';
import { decodeJson } from '../../../src/tui/json/decode.ts';
import { doc, memoryFiles, tool } from '../tools.ts';

function setUp(entry: object, more: Record<string, string | null> = {}) {
  return memoryFiles({
    'a.tui': doc('<text>hi {q}</text><input id="i" bind="q"/>'),
    'g/manifest.json': JSON.stringify([{ name: 'one', file: 'a.tui', sizes: ['8x2'], ...entry }]),
    ...more,
  });
}

describe('test', () => {
  test('U-171 U-172 U-173 write, then compare', async () => {
    const files = setUp({ json: ['8x2'] });
    const missing = await tool('test g', files);
    expect(missing).toEqual({
      stdout:
        'FAIL one 8x2 (json): open g/one/8x2.json: no such file or directory\nFAIL one 8x2 (text): open g/one/8x2.txt: no such file or directory\n',
      stderr: '',
      exitCode: 1,
    });
    expect((await tool('test --update g', files)).stdout).toBe(
      'PASS one 8x2 (json)\nPASS one 8x2 (text)\n',
    );
    expect(files.content.get('/w/g/one/8x2.txt')).toBe(
      (await tool('dump a.tui --cols 8 --rows 2', files)).stdout,
    );
    expect(await tool('test g', files)).toEqual({
      stdout: 'PASS one 8x2 (json)\nPASS one 8x2 (text)\n',
      stderr: '',
      exitCode: 0,
    });
  });

  test('U-173 a mismatch shows the first line that differs, exit 2', async () => {
    const files = setUp({});
    await tool('test --update g', files);
    files.content.set('/w/a.tui', doc('<text>ho</text>'));
    const { stdout, exitCode } = await tool('test g', files);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('FAIL one 8x2 (text): line 2: want "hi      ", got "ho      "\n');
    expect(firstDifference('a\nb\n', 'a\n')).toBe('line 2: want "b", got ""');
    expect(firstDifference('a', 'a\n')).toBe('line count: want 1, got 2');
  });

  test('U-172 with input the outputs are those of play; styles and cells join the JSON', async () => {
    const files = setUp({ input: 'text:x', json: ['8x2'], styles: true, cells: true });
    await tool('test --update g', files);
    expect(files.content.get('/w/g/one/8x2.txt')).toContain('=== events ===\nnone\n');
    const json = JSON.parse(files.content.get('/w/g/one/8x2.json') as string);
    expect(Object.keys(json).slice(-4)).toEqual(['cells', 'theme', 'styles', 'events']);
  });

  test.each([
    [{ input: 'a', script: 's' }, 'FAIL one: input and script are mutually exclusive'],
    [{ file: 'zz' }, 'FAIL one: open zz: no such file or directory'],
    [{ sizes: ['8'] }, 'FAIL one 8: bad size "8" (want COLSxROWS)'],
    [{ input: 'frob' }, 'FAIL one: play step 1 (frob): not a valid key token'],
    [
      { input: 'click:9,9' },
      'FAIL one 8x2: play step 1 (click:9,9): cell 9,9 is outside the 8x2 grid',
    ],
    [{ theme: 'blue' }, 'FAIL one: manifest entry "one" theme must be dark or light (got "blue")'],
  ])('U-173 %j', async (entry, line) => {
    expect(await tool('test g', setUp(entry))).toEqual({
      stdout: `${line}\n`,
      stderr: '',
      exitCode: 1,
    });
  });

  test('U-171 unknown members and a missing manifest', async () => {
    const { stderr, exitCode } = await tool('test g', setUp({ frob: 1 }));
    expect([exitCode, stderr]).toEqual([
      1,
      'tuimark: g/manifest.json: json: unknown field "frob"\n',
    ]);
    expect((await tool('test', {})).stderr).toBe(
      'tuimark: open testdata/golden/manifest.json: no such file or directory\n',
    );
  });

  test('U-174 an update may only add members, frozen entries are compared', async () => {
    const files = setUp({ json: ['8x2'] });
    await tool('test --update g', files);
    files.content.set('/w/a.tui', doc('<text>ho {q}</text><input id="i" bind="q"/>'));
    const refused = await tool('test --update g', files);
    expect(refused).toEqual({
      stdout: 'FAIL one 8x2 (json): update removes or changes /nodes/1/text\n',
      stderr: '',
      exitCode: 2,
    });
    expect(files.content.get('/w/g/one/8x2.txt')).toContain('hi');
    expect((await tool('test --update --allow-breaking g', files)).exitCode).toBe(0);
    expect(files.content.get('/w/g/one/8x2.txt')).toContain('ho');
    files.content.set('/w/g/one/8x2.json', '{');
    expect((await tool('test --update g', files)).exitCode).toBe(1);
    const frozen = setUp({ frozen: true });
    expect((await tool('test --update g', frozen)).stdout).toContain('FAIL one 8x2 (text): open');
  });

  test.each([
    ['{"a":1}', '{"a":1,"b":2}', null],
    ['{"a":[1,2]}', '{"a":[1]}', '/a'],
    ['{"a":{"x/y":1}}', '{"a":{}}', '/a/x~1y'],
    ['[{"a":1},2]', '[{"a":2},3]', '/0/a'],
    ['1', '"1"', ''],
  ])('U-174 %s to %s', (stored, fresh, loss) =>
    expect(firstLoss(decodeJson(stored), decodeJson(fresh))).toBe(loss),
  );
});
