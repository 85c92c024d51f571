import { describe, expect, test } from 'vitest';
import { doc, memoryFiles, tool } from './tools.ts';

describe('shot', () => {
  test('U-131 a frame as SVG: text in its colours, special characters escaped', async () => {
    const body =
      '<text style="color: red; background: $panel; bold: true">a &lt;b&gt; &amp; 漢</text>';
    const { stdout, exitCode } = await tool('shot a.tui --cols 20 --rows 2', {
      'a.tui': doc(body),
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^>]*>\n/);
    expect(stdout.endsWith('</svg>\n')).toBe(true);
    expect(stdout).toMatch(/fill="#cd0000" font-weight="bold">a &lt;b&gt; &amp; <\/text>/);
    expect(stdout).toMatch(/textLength="19.2"[^>]*>漢<\/text>/);
    expect(stdout).toContain('fill="#161b22"');
  });

  test('U-131 steps first, other palette, into a file', async () => {
    const files = memoryFiles({ 'a.tui': doc('<text>{q}</text>') });
    const words = [
      'shot',
      'a.tui',
      '--theme',
      'light',
      '--input',
      'set:q="new"',
      '--output',
      'out/x.svg',
    ];
    expect(await tool(words, files)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    const svg = files.content.get('/w/out/x.svg') as string;
    expect(svg).toContain('>new');
    expect(svg).toContain('fill="#ffffff"');
    expect((await tool(['shot', 'a.tui', '--input', 'frob'], files)).stderr).toBe(
      'tuimark: shot: step 1 (frob): not a valid key token\n',
    );
  });

  test('U-131 blocks and lines are shapes that fill their cells', async () => {
    const { stdout } = await tool('shot a.tui --cols 12 --rows 3', {
      'a.tui': doc('<box width="12" height="3" border="1"><text>██▌░</text></box>'),
    });
    expect(stdout).not.toMatch(/<text/);
    // The top edge is one line from the first corner's right side to the last one's left.
    expect(stdout).toContain('d="M113.6,18 L65.6,18 L17.6,18"');
    // Two full blocks, half a cell, a thin shade: side by side, over the whole height of the row.
    expect(stdout).toContain('<rect x="17.6" y="28" width="19.2" height="20"');
    expect(stdout).toContain('<rect x="36.8" y="28" width="4.8" height="20"');
    expect(stdout).toMatch(
      /<rect x="46.4" y="28" width="9.6" height="20" [^>]*fill-opacity="0.25"/,
    );
  });

  test('U-131 every style of border closes its corners', async () => {
    for (const style of ['single', 'double', 'rounded', 'thick']) {
      const { stdout } = await tool('shot a.tui --cols 4 --rows 3', {
        'a.tui': doc(`<box width="4" height="3" border="${style}"/>`),
      });
      const ends = [...stdout.matchAll(/ d="([^"]*)"/g)].flatMap(([, path]) =>
        path!.split(' M').flatMap((line) => {
          const points = [...line.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([both]) => both);
          return [points[0]!, points.at(-1)!];
        }),
      );
      // Each end of a line is where another one begins.
      for (const end of ends) expect(ends.filter((it) => it === end)).toHaveLength(2);
    }
  });

  test('U-131 runs of one row never overlap and cover no cell twice', async () => {
    const { stdout } = await tool('shot a.tui --cols 12 --rows 1', {
      'a.tui': doc('<text>a漢b漢c</text>'),
    });
    const runs = [...stdout.matchAll(/<text x="([\d.]+)" y="[\d.]+" textLength="([\d.]+)"/g)].map(
      ([, x, w]) => [Number(x), Number(w)],
    );
    for (let i = 1; i < runs.length; i++) {
      expect(runs[i]![0]).toBeCloseTo(runs[i - 1]![0]! + runs[i - 1]![1]!, 1);
    }
    expect(runs).toHaveLength(5);
  });
});
