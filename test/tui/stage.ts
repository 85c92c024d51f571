import type { JsonObject, JsonValue } from '../../src/tui/data/value.ts';
import { diagnosticText } from '../../src/tui/diagnostics/print.ts';
import { gridRows } from '../../src/tui/dump/dump.ts';
import type { Box } from '../../src/tui/frame/box.ts';
import type { Frame } from '../../src/tui/frame/frame.ts';
import { type App, createApp } from '../../src/tui/interact/app.ts';
import { type PlayResult, runPlay } from '../../src/tui/interact/play.ts';
import { parseDocument } from '../../src/tui/language/parse.ts';
import type { Version } from '../../src/tui/markup/types.ts';
import { parseStep } from '../../src/tui/steps/words.ts';
import { parseSheet } from '../../src/tui/style/sheet.ts';

export interface StageOptions {
  readonly cols?: number;
  readonly rows?: number;
  readonly data?: unknown;
  readonly css?: string;
  readonly version?: Version;
  readonly strict?: boolean;
  readonly theme?: 'dark' | 'light' | null;
  /** Attributes of the root, after `version`. */
  readonly root?: string;
  /** Attributes of the screen, after `id="s"`. */
  readonly screen?: string;
  /** Elements before the screen, such as keymaps, and behind it, such as other screens. */
  readonly beside?: string;
  readonly after?: string;
}

/** JSON values as the product holds them: objects are Maps. */
export function toValue(json: unknown): JsonValue {
  if (Array.isArray(json)) return json.map(toValue);
  if (json !== null && typeof json === 'object') {
    return new Map(Object.entries(json).map(([name, member]) => [name, toValue(member)]));
  }
  return json as JsonValue;
}

/** A running document whose one screen `#s` holds `body`; nothing is drawn yet. */
export function stage(body: string, options: StageOptions = {}): App {
  const { css = '', version = 2, root = '', screen = '', beside = '', after = '' } = options;
  const style =
    css === '' ? '' : `<style>${css.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</style>`;
  return stageSource(
    `<tui version="${version}" ${root}>${style}${beside}<screen id="s" ${screen}>${body}</screen>${after}</tui>`,
    options,
  );
}

/** A running document given whole; its file is `app.tui`. */
export function stageSource(source: string, options: StageOptions = {}): App {
  const { data = {}, strict = false, theme = null, cols = 80, rows = 24 } = options;
  const document = parseDocument(new TextEncoder().encode(source), 'app.tui');
  const { file, version } = document;
  const parsed = document.styles.map(({ body, origins }) =>
    parseSheet({ source: body, origins, file, version }),
  );
  const loaded = {
    document,
    sheets: parsed.map(({ sheet }) => sheet),
    diagnostics: [...document.diagnostics, ...parsed.flatMap(({ diagnostics }) => diagnostics)],
  };
  return createApp({ loaded, data: toValue(data) as JsonObject, theme, strict, cols, rows });
}

/** The first frame. */
export function draw(body: string, options: StageOptions = {}): Frame {
  return stage(body, options).draw();
}

/** Runs steps in the grammar of `--input`; throws when one is bad or cannot be applied. */
export function play(app: App, ...steps: string[]): PlayResult {
  const parsed = steps.map((step) => {
    const result = parseStep(step);
    if ('reason' in result) throw new Error(`${step}: ${result.reason}`);
    return result;
  });
  const result = runPlay(app, parsed);
  if ('reason' in result) throw new Error(`step ${result.failedStep}: ${result.reason}`);
  return result;
}

export function box(frame: Frame, id: string): Box {
  const found = frame.scene.boxes.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`no box #${id}`);
  return found;
}

/** `WxH@(x,y)` of a node. */
export function at(frame: Frame, id: string): string {
  const { w, h, x, y } = box(frame, id);
  return `${w}x${h}@(${x},${y})`;
}

export function grid(frame: Frame): string[] {
  return gridRows(frame);
}

/** Codes of the frame's findings. */
export function codes(frame: Frame): string[] {
  return frame.diagnostics.map(({ code }) => code);
}

/** Findings as text, with file and position left out. */
export function findings(frame: Frame): string[] {
  return frame.diagnostics.map((found) => diagnosticText({ ...found, file: '', line: 0, col: 0 }));
}

/** Colours and attribute bits of one cell. */
export function cell(frame: Frame, x: number, y: number) {
  const { canvas } = frame;
  const i = y * canvas.cols + x;
  return {
    ch: canvas.text[i],
    fg: canvas.fg[i] ?? null,
    bg: canvas.bg[i] ?? null,
    attributes: canvas.attributes[i],
    owner: canvas.owner[i] ?? null,
  };
}

/** Recorded events as `action source value`. */
export function eventLines(result: PlayResult): string[] {
  return result.events.map(({ step, action, source, keys, value }) => {
    const named = [...keys].map(([name, key]) => `${name}=${JSON.stringify(key)}`).join(',');
    return `${step} ${action} ${source || '-'} {${named}} ${JSON.stringify(value)}`;
  });
}
