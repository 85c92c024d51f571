import { quote } from '../diagnostics/quote.ts';
import type { Media, Theme } from './types.ts';

/** The frame that conditions are tested against (G-009). */
export interface MediaContext {
  readonly cols: number;
  readonly rows: number;
  readonly theme: Theme;
}

/**
 * Reads the condition of an `@media` block (U-107).
 *
 * @param condition what stands between `@media` and `{`, trimmed
 */
export function parseMedia(
  condition: string,
  version: 1 | 2 | 3,
): { media: Media } | { error: string } {
  const parentheses = condition.split('(').length - 1;
  if (/ and | or |,/.test(condition) || parentheses !== 1) {
    return {
      error: `@media ${condition}: exactly one feature per block (write one block per condition)`,
    };
  }
  const match = /^\(([^:()]*):([^:()]*)\)$/u.exec(condition);
  if (!match) return { error: `@media ${condition}: want (feature: N)` };
  const feature = match[1]!.trim();
  const value = match[2]!.trim();
  switch (feature) {
    case 'theme':
      if (version < 2) return { error: '@media feature "theme" (requires version="2")' };
      if (value !== 'dark' && value !== 'light') {
        return { error: `@media ${condition}: the theme feature takes dark or light` };
      }
      return { media: { text: condition, feature, value } };
    case 'max-cols':
    case 'min-cols':
    case 'max-rows':
    case 'min-rows':
      if (!/^\+?[0-9]+$/.test(value)) {
        return { error: `@media ${condition}: value must be a whole number of cells` };
      }
      return { media: { text: condition, feature, value: Number(value) } };
    default: {
      const more = version >= 2 ? ', theme' : '';
      return {
        error: `@media feature ${quote(feature)} is not supported (max-cols, min-cols, max-rows, min-rows${more})`,
      };
    }
  }
}

/** Whether a rule's condition holds for a frame. */
export function mediaHolds(media: Media | null, frame: MediaContext): boolean {
  if (media === null) return true;
  switch (media.feature) {
    case 'max-cols':
      return frame.cols <= (media.value as number);
    case 'min-cols':
      return frame.cols >= (media.value as number);
    case 'max-rows':
      return frame.rows <= (media.value as number);
    case 'min-rows':
      return frame.rows >= (media.value as number);
    case 'theme':
      return frame.theme === media.value;
  }
}
