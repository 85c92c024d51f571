import type { Diagnostic } from '../diagnostics/types.ts';
import type { TuiDocument } from '../markup/types.ts';
import type { Canvas } from '../paint/canvas.ts';
import type { Cascade } from '../style/cascade.ts';
import type { Sheet, Theme } from '../style/types.ts';
import type { Scene } from './scene.ts';

/** One finished frame: nothing in it changes any more. */
export interface Frame {
  readonly document: TuiDocument;
  readonly sheets: readonly Sheet[];
  readonly cols: number;
  readonly rows: number;
  /** The effective theme (G-033). */
  readonly theme: Theme;
  readonly focus: string | null;
  readonly scene: Scene;
  readonly canvas: Canvas;
  readonly cascade: Cascade;
  /** Whether the mouse is on (G-164). */
  readonly hasMouse: boolean;
  /** Cell of the terminal cursor, when a focused input shows it (G-115). */
  readonly cursor: { readonly x: number; readonly y: number } | null;
  /** Complete: static, cascade, data and layout findings, sorted, without repeats. */
  readonly diagnostics: readonly Diagnostic[];
}
