import type { JsonObject } from '../data/value.ts';
import type { Diagnostic } from '../diagnostics/types.ts';
import { type Drawing, drawFrame } from '../frame/draw.ts';
import type { Frame } from '../frame/frame.ts';
import { type AppState, createState, forkState } from '../frame/state.ts';
import { newTextWork, type TextWork } from '../language/text-work.ts';
import type { TuiDocument } from '../markup/types.ts';
import { unknownTokens } from '../style/static-checks.ts';
import type { Sheet, Theme } from '../style/types.ts';

export interface AppOptions {
  readonly loaded: {
    readonly document: TuiDocument;
    readonly sheets: readonly Sheet[];
    /** Parse and stylesheet findings. */
    readonly diagnostics: readonly Diagnostic[];
    /** Kept from call to call by those who load documents again and again. */
    readonly work?: TextWork;
  };
  /** The store; the app writes to it. */
  readonly data: JsonObject;
  /** The tool's theme flag, or null. */
  readonly theme: Theme | null;
  readonly strict: boolean;
  readonly cols: number;
  readonly rows: number;
}

/** A document that runs: what play, validate, inspect and a live session drive. */
export interface App {
  readonly document: TuiDocument;
  readonly drawing: Drawing;
  readonly state: AppState;
  cols: number;
  rows: number;
  themeFlag: Theme | null;
  /** What `auto` is: dark, unless a live session learned better from its terminal (U-073). */
  autoTheme: Theme;
  /** A live session's environment beats everything else (U-073). */
  forcedTheme: Theme | null;
  /** The last live frame; null before the first. */
  frame: Frame | null;
  /** Draws a live frame: state moves on, events are queued (G-118). */
  readonly draw: () => Frame;
  /** Renders at any size without changing anything (G-186). */
  readonly snapshot: (cols: number, rows: number) => Frame;
  readonly resize: (cols: number, rows: number) => void;
  readonly useTheme: (theme: Theme) => void;
}

export function createApp(options: AppOptions): App {
  const { loaded, data, cols, rows } = options;
  const { document, sheets } = loaded;
  const { cascades, findings } = loaded.work ?? newTextWork();
  const staticFindings = (theme: Theme) => {
    const known = findings.get(theme);
    if (known) return known;
    const all = [...loaded.diagnostics, ...unknownTokens(document, sheets, theme)];
    findings.set(theme, all);
    return all;
  };
  const drawing: Drawing = {
    document,
    sheets,
    staticFindings,
    isStrict: options.strict,
    tables: new Map(),
    cascades,
  };
  const app: App = {
    document,
    drawing,
    state: createState(document, data),
    cols,
    rows,
    themeFlag: options.theme,
    autoTheme: 'dark',
    forcedTheme: null,
    frame: null,
    draw: () => {
      app.frame = drawFrame(drawing, app.state, effectiveTheme(app), app.cols, app.rows);
      return app.frame;
    },
    snapshot: (atCols, atRows) => {
      // A copy may write to its own store, so it must not leave table work for this one.
      const own = { ...drawing, tables: new Map() };
      return drawFrame(own, forkState(app.state), effectiveTheme(app), atCols, atRows);
    },
    resize: (toCols, toRows) => {
      app.cols = toCols;
      app.rows = toRows;
    },
    useTheme: (theme) => {
      app.themeFlag = theme;
    },
  };
  return app;
}

/** The host's `@theme`, else the flag, else the document's; `auto` is dark off a terminal (G-033). */
export function effectiveTheme(app: App): Theme {
  const wanted = app.state.theme ?? app.themeFlag ?? app.document.theme;
  if (app.forcedTheme !== null) return app.forcedTheme;
  if (wanted === 'auto') return app.autoTheme;
  return wanted === 'light' ? 'light' : 'dark';
}
