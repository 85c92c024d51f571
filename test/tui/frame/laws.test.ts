import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dumpFrame } from '../../../src/tui/dump/dump.ts';
import { dumpText } from '../../../src/tui/dump/text.ts';
import type { Box } from '../../../src/tui/frame/box.ts';
import { parseDecimal, splitByWeight } from '../../../src/tui/style/decimal.ts';
import { segment, stringWidth } from '../../../src/tui/text/graphemes.ts';
import { box, grid, play, stageSource } from '../stage.ts';

const DATA = {
  n: 3,
  s: 'some 微信 text\nin two lines',
  on: true,
  off: false,
  pct: 42.5,
  series: [1, null, 3, 8, 2],
  rows: Array.from({ length: 7 }, (_, k) => ({ k, t: `row ${k} ${'🇺🇸微e\u0301'.slice(0, k)}` })),
  cur: 2,
  marks: [1, 2],
  view: 't1',
};

const size = fc.constantFrom(
  '0',
  '1',
  '3',
  '10',
  '50%',
  '100%',
  '150%',
  '1fr',
  '2.5fr',
  'auto',
  '99999',
);
const declaration = fc.oneof(
  size.map((s) => `width: ${s}`),
  size.map((s) => `height: ${s}`),
  fc.constantFrom(
    'min-width: 5',
    'max-width: 50%',
    'min-height: 2',
    'max-height: 3',
    'flex: 0',
    'flex: 2',
  ),
  fc.constantFrom(
    'padding: 1',
    'margin: 1 2',
    'gap: 2',
    'border: single',
    'border: double',
    'scrollbar: auto',
  ),
  fc.constantFrom('dock: top', 'dock: bottom', 'dock: left', 'dock: right', 'overflow: scroll'),
  fc.constantFrom(
    'layout: row',
    'layout: column',
    'layout: grid; grid-columns: 3',
    'layout: grid; grid-min-width: 4; grid-columns: 4',
  ),
  fc.constantFrom(
    'align: start',
    'align: center',
    'align: end',
    'justify: end',
    'justify: space-between',
  ),
  fc.constantFrom(
    'display: none',
    'visibility: hidden',
    'reverse: true',
    'background: $panel',
    'color: $accent',
  ),
  fc.constantFrom(
    'wrap: wrap',
    'wrap: truncate',
    'wrap: truncate-middle',
    'content-align: center',
    'bar: eighths',
  ),
);
const style = fc.array(declaration, { maxLength: 4 }).map((list) => `style="${list.join('; ')}"`);

const TEXTS = [
  '',
  'plain',
  '{s}',
  '微信 wide',
  '👨‍👩‍👧🇺🇸',
  'a long line of words to wrap somewhere',
  '\u0600x',
  '🇺',
];

/** Every kind of node, ids made unique by a counter afterwards. */
const tree = fc.letrec<{ node: string; nodes: string }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 4 }).map((list) => list.join('')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(style, fc.constantFrom(...TEXTS)).map(([s, text]) => `<text ${s}>${text}</text>`),
    style.map((s) => `<rule ${s}/>`),
    style.map((s) => `<spacer ${s}/>`),
    style.map((s) => `<progress bind="pct" ${s}/>`),
    style.map((s) => `<sparkline bind="series" scale="g" ${s}/>`),
    style.map((s) => `<input id="ID" bind="s" placeholder="type" ${s}/>`),
    style.map((s) =>
      `<button id="ID" on:click="go" on:focus="f" ${s}>{n}</button>`.replace('{n}', 'OK'),
    ),
    style.map((s) => `<hints id="ID" scope="all" ${s}/>`),
    style.map(
      (s) =>
        `<list id="ID" each="rows as r" key="r.k" bind="cur" checked="marks" mark="*" ${s}><item><text>{r.t}</text></item></list>`,
    ),
    style.map(
      (s) =>
        `<table id="ID" each="rows as r" key="r.k" checked="marks" mark="▸" ${s}><column title="K" priority="1">{r.k}</column><column title="T" width="1fr">{r.t}</column></table>`,
    ),
    fc.tuple(style, tie('nodes')).map(([s, inner]) => `<box title="T" ${s}>${inner}</box>`),
    fc.tuple(style, tie('nodes')).map(([s, inner]) => `<row ${s}>${inner}</row>`),
    fc.tuple(style, tie('nodes')).map(([s, inner]) => `<col if="on" ${s}>${inner}</col>`),
    fc
      .tuple(style, fc.constantFrom('x', 'y', 'both'), tie('nodes'))
      .map(
        ([s, axis, inner]) =>
          `<scroll id="ID" focusable="true" axis="${axis}" ${s}>${inner}</scroll>`,
      ),
    fc
      .tuple(style, tie('nodes'))
      .map(([s, inner]) =>
        `<tabs id="ID" bind="view" focusable="true" mark="▸" ${s}><tab id="t1-ID" label="one">${inner}</tab><tab id="ID" label="two {n}" short="2">x</tab></tabs>`.replace(
          '>x<',
          '><text>x</text><',
        ),
      ),
    fc.constant(
      '<col each="rows as r" key="r.k"><row><text>{r.t}</text><rule axis="y"/></row></col>',
    ),
  ),
}));

const keymap =
  '<keymap><bind keys="q" action="hit" label="hit"/><bind keys="n" action="move-next" label="next"/><bind keys="space" action="check-toggle" label="check"/><bind keys="2" action="switch-to" to="#s2"/></keymap>';

const source = fc.tuple(tree.nodes, tree.nodes, style).map(([body, modal, s]) => {
  let count = 0;
  const text = `<tui version="3" mouse="on">${keymap}<screen id="s" ${s}>${body}<modal id="m" open="off" on:escape="esc" ${s}>${modal}</modal></screen><screen id="s2"><button id="z">z</button></screen></tui>`;
  return text.replace(
    /\bid="([^"]*ID)"/g,
    (_, id: string) => `id="${id.replace('ID', `n${count++}`)}"`,
  );
});

const cols = fc.integer({ min: 1, max: 400 });
const rows = fc.integer({ min: 1, max: 200 });
const open = (text: string, w: number, h: number) =>
  stageSource(text, { cols: w, rows: h, data: structuredClone(DATA) });

/** Runs kept small: each builds and draws whole documents. */
const RUNS = { numRuns: 60 };

describe('laws of every frame', () => {
  test('G-001 G-183 any document lays out at any size, each row exactly as wide as the grid', () => {
    fc.assert(
      fc.property(source, cols, rows, (text, w, h) => {
        const frame = open(text, w, h).draw();
        const lines = grid(frame);
        expect(lines).toHaveLength(h);
        for (const line of lines) expect(stringWidth(line)).toBe(w);
      }),
      RUNS,
    );
  });

  test('G-050 no box may paint outside what its parent gives its children', () => {
    fc.assert(
      fc.property(source, cols, rows, (text, w, h) => {
        const frame = open(text, w, h).draw();
        const within = (inner: Box['clip'], outer: Box['clip']) =>
          inner.x0 >= inner.x1 ||
          inner.y0 >= inner.y1 ||
          (inner.x0 >= outer.x0 &&
            inner.x1 <= outer.x1 &&
            inner.y0 >= outer.y0 &&
            inner.y1 <= outer.y1);
        for (const node of frame.scene.boxes) {
          if (!node.parent || node.kind === 'modal') continue;
          expect(within(node.clip, node.parent.childClip)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test('G-001 sizes are whole and never negative', () => {
    fc.assert(
      fc.property(source, cols, rows, (text, w, h) => {
        for (const node of open(text, w, h).draw().scene.boxes) {
          for (const value of [node.w, node.h, node.cw, node.ch])
            expect(value).toBeGreaterThanOrEqual(0);
          for (const value of [node.x, node.y, node.w, node.h])
            expect(Number.isSafeInteger(value)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test('G-173 a dump is the same every time', () => {
    fc.assert(
      fc.property(source, cols, rows, (text, w, h) => {
        const once = () =>
          JSON.stringify(dumpFrame(open(text, w, h).draw(), { cells: false, styles: true }));
        expect(once()).toBe(once());
      }),
      { numRuns: 60 },
    );
  });

  test('G-099 rows read whole fall into exactly their cells', () => {
    fc.assert(
      fc.property(source, fc.integer({ min: 1, max: 40 }), (text, w) => {
        const { canvas } = open(text, w, 12).draw();
        for (let y = 0; y < canvas.rows; y++) {
          const cells = canvas.text.slice(y * w, (y + 1) * w).filter((cell) => cell !== '');
          expect(segment(cells.join('')).map((cluster) => cluster.text)).toEqual(cells);
        }
      }),
      RUNS,
    );
  });

  const step = fc.oneof(
    fc.constantFrom(
      'tab',
      'shift+tab',
      'up',
      'down',
      'left',
      'right',
      'home',
      'end',
      'pgup',
      'pgdn',
      'enter',
      'esc',
      'space',
      'n',
      'q',
      '2',
      'backspace',
    ),
    fc.constantFrom(
      'text:ab\x1b[A\tc',
      'paste:x y',
      'set:off=true',
      'set:off=false',
      'set:rows=[]',
      'set:rows=[{"k":9}]',
      'set:on=false',
      'set:on=true',
      'set:view="t1"',
      'set:cur=4',
      'set:@screen="s"',
      'set:@screen="s2"',
      'set:@theme="light"',
      'focus:#n0',
      'focus:#n3',
      'focus:#z',
      'set:marks=null',
      'set:s=5',
    ),
    fc.tuple(fc.nat(30), fc.nat(10)).map(([x, y]) => `click:${x},${y}`),
    fc.tuple(fc.nat(30), fc.nat(10)).map(([x, y]) => `wheel-down:${x},${y}`),
    fc
      .tuple(fc.integer({ min: 31, max: 90 }), fc.integer({ min: 11, max: 40 }))
      .map(([c, r]) => `resize:${c}x${r}`),
  );

  test('G-170 no run of steps fails, and focus is always on a node that can have it', () => {
    fc.assert(
      fc.property(source, fc.array(step, { maxLength: 12 }), (text, steps) => {
        const { frame } = play(open(text, 40, 15), ...steps);
        expect(dumpText(frame)).toContain('=== nodes ===');
        if (frame.focus !== null && frame.scene.focused)
          expect(frame.scene.cycle).toContain(frame.scene.focused);
      }),
      { numRuns: 100 },
    );
  });
});

describe('laws of sharing', () => {
  const weight = fc.tuple(fc.nat(50), fc.nat(99)).map(([a, b]) => parseDecimal(`${a}.${b}`)!);

  test('G-044 shares add up exactly and none but the last is rounded up', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.array(weight, { minLength: 1, maxLength: 8 }),
        (remain, weights) => {
          const shares = splitByWeight(remain, weights);
          expect(shares.reduce((a, b) => a + b, 0)).toBe(remain);
          const sum = weights.reduce((a, w) => a + Number(w.literal), 0);
          for (const [i, share] of shares.slice(0, -1).entries()) {
            if (sum > 0)
              expect(share).toBeLessThanOrEqual(
                (remain * Number(weights[i]!.literal)) / sum + 1e-6,
              );
          }
        },
      ),
    );
  });

  test('G-063 a row of fr boxes is filled exactly', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
        cols,
        (weights, w) => {
          const boxes = weights.map((fr, i) => `<box id="b${i}" width="${fr}fr"/>`).join('');
          const frame = stageSource(
            `<tui version="2"><screen id="s"><row>${boxes}</row></screen></tui>`,
            { cols: w, rows: 1 },
          ).draw();
          const widths = weights.map((_, i) => box(frame, `b${i}`).w);
          expect(widths.reduce((a, b) => a + b, 0)).toBe(w);
        },
      ),
    );
  });
});
