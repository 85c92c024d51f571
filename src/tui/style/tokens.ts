import { type MediaContext, mediaHolds } from './media.ts';
import type { Sheet, Theme } from './types.ts';

const DARK: readonly [string, string][] = [
  ['bg', '#0d1117'],
  ['fg', '#e6edf3'],
  ['muted', '#8b949e'],
  ['accent', 'cyan'],
  ['ok', 'green'],
  ['warn', 'yellow'],
  ['danger', 'red'],
  ['border', '#30363d'],
  ['focus', 'cyan'],
  ['panel', '#161b22'],
];
const LIGHT: readonly [string, string][] = [
  ['bg', '#ffffff'],
  ['fg', '#1f2328'],
  ['muted', '#656d76'],
  ['accent', 'blue'],
  ['ok', 'green'],
  ['warn', 'yellow'],
  ['danger', 'red'],
  ['border', '#d0d7de'],
  ['focus', 'blue'],
  ['panel', '#f6f8fa'],
];

/** A theme's own tokens (G-032). */
export function builtinTokens(theme: Theme): Map<string, string> {
  return new Map(theme === 'light' ? LIGHT : DARK);
}

/**
 * Tokens of a frame: the theme's, then every `:root` rule whose condition holds, in order (G-034).
 *
 * @param frame without `cols` and `rows`, size conditions count as holding (G-035, U-166)
 */
export function tokenTable(
  sheets: readonly Sheet[],
  frame: { theme: Theme; cols?: number; rows?: number },
): Map<string, string> {
  const table = builtinTokens(frame.theme);
  const { theme, cols, rows } = frame;
  const sized: MediaContext | null =
    cols === undefined || rows === undefined ? null : { theme, cols, rows };
  for (const sheet of sheets) {
    for (const { tokens, media } of sheet.rules) {
      if (tokens.length === 0) continue;
      const isSizeCondition = media !== null && media.feature !== 'theme';
      const holds = sized
        ? mediaHolds(media, sized)
        : isSizeCondition || media === null || media.value === theme;
      if (holds) for (const { name, color } of tokens) table.set(name, color);
    }
  }
  return table;
}
