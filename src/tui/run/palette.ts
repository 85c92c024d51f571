/** The eight base colours in terminal order (U-114). */
const BASE = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** Index of a colour name, 0–15, or -1. */
export function ansiIndex(name: string): number {
  const isBright = name.startsWith('bright-');
  const base = BASE.indexOf(isBright ? name.slice(7) : name);
  return base < 0 ? -1 : base + (isBright ? 8 : 0);
}

/** The xterm palette of the 16-colour mapping (G-200). */
export const XTERM: readonly string[] = [
  '000000',
  'cd0000',
  '00cd00',
  'cdcd00',
  '0000ee',
  'cd00cd',
  '00cdcd',
  'e5e5e5',
  '7f7f7f',
  'ff0000',
  '00ff00',
  'ffff00',
  '5c5cff',
  'ff00ff',
  '00ffff',
  'ffffff',
];

export type Rgb = readonly [number, number, number];

/** Six hex digits to channels. */
export function parseRgb(hex: string): Rgb {
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** Levels of the 6×6×6 cube of the 256-colour palette (G-198). */
const CUBE_LEVELS = [0, 95, 135, 175, 215, 255];

/** Nearest entry of the 256-colour palette, 16–255; the cube wins ties (G-198). */
export function nearest256(rgb: Rgb): number {
  const indexes = rgb.map(cubeIndex);
  const cube = indexes.map((index) => CUBE_LEVELS[index]!) as unknown as Rgb;
  const cubeCode = 16 + 36 * indexes[0]! + 6 * indexes[1]! + indexes[2]!;
  const toCube = distance(rgb, cube);
  if (toCube === 0) return cubeCode;
  const mean = Math.trunc((rgb[0] + rgb[1] + rgb[2]) / 3);
  const greyIndex = mean > 238 ? 23 : Math.trunc((mean - 3) / 10);
  const grey = 8 + 10 * greyIndex;
  return distance(rgb, [grey, grey, grey]) < toCube ? 232 + greyIndex : cubeCode;
}

/** Nearest of the 16 colours, ties to the lower index (G-198). */
export function nearest16(rgb: Rgb): number {
  let best = 0;
  for (let i = 1; i < 16; i++) {
    if (distance(rgb, parseRgb(XTERM[i]!)) < distance(rgb, parseRgb(XTERM[best]!))) best = i;
  }
  return best;
}

function cubeIndex(value: number): number {
  if (value < 48) return 0;
  return value < 115 ? 1 : Math.floor((value - 35) / 40);
}

function distance(a: Rgb, b: Rgb): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}
