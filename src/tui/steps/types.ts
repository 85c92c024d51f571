import type { JsonValue } from '../data/value.ts';

/** One parsed step of `play` (U-183, U-185); `written` is the step as given. */
export type PlayStep = { readonly written: string } & (
  | { readonly kind: 'key'; readonly key: string }
  /** Typed input, still to be decoded as one terminal read (U-187). */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  /** A write; `path` may be empty or reserved (`@focus`, `@screen`, `@theme`). */
  | { readonly kind: 'set'; readonly path: string; readonly value: JsonValue }
  /** `id` without the leading `#`. */
  | { readonly kind: 'focus'; readonly id: string }
  | { readonly kind: 'resize'; readonly cols: number; readonly rows: number }
  /** 0-based cell; may lie outside the grid, which is an error only when applied. */
  | { readonly kind: 'click'; readonly x: number; readonly y: number }
  | {
      readonly kind: 'wheel';
      readonly direction: 'up' | 'down';
      readonly x: number;
      readonly y: number;
    }
);

/** A step that is none; the reason is the text behind `step N (…): ` (U-182). */
export interface StepFault {
  readonly reason: string;
}
