import type { Box } from '../frame/box.ts';
import type { ComputedStyle } from '../style/computed.ts';
import { BOLD, DIM, ITALIC, type Pen, REVERSE, UNDERLINE } from './canvas.ts';

/** Colours and all attributes: what text is written with (G-105). */
export function textPen(style: ComputedStyle): Pen {
  const attributes =
    (style.bold ? BOLD : 0) |
    (style.dim ? DIM : 0) |
    (style.italic ? ITALIC : 0) |
    (style.underline ? UNDERLINE : 0) |
    (style.reverse ? REVERSE : 0);
  return { fg: style.color, bg: style.background, attributes };
}

/** A background fill keeps only `reverse` (G-100). */
export function fillPen(style: ComputedStyle): Pen {
  return { fg: style.color, bg: style.background, attributes: style.reverse ? REVERSE : 0 };
}

/** Borders never carry an attribute (G-102). */
export function borderPen(style: ComputedStyle): Pen {
  return { fg: style.borderColor ?? style.color, bg: style.background, attributes: 0 };
}

export function titlePen(style: ComputedStyle): Pen {
  return { ...borderPen(style), fg: style.titleColor ?? style.borderColor ?? style.color };
}

export function withDim(pen: Pen): Pen {
  return { ...pen, attributes: pen.attributes | DIM };
}

/** What a painter of one box needs besides the canvas. */
export interface Brush {
  readonly pen: Pen;
  readonly owner: string | null;
}

export function isVisible(box: Box): boolean {
  return box.style.visibility !== 'hidden';
}
