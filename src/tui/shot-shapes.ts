/**
 * Blocks and lines as shapes instead of letters: fonts leave gaps between the
 * rows of a picture, and none of them agrees with another on how wide a block is.
 */

/** Widths of the lines in SVG units, in cells of 9.6 × 20. */
const LIGHT = 1.2;
const HEAVY = 3;
/** From the middle of a double line to each of its two. */
const DOUBLE_GAP = 1.8;

/** How dense the shades are. */
const SHADES: ReadonlyMap<string, number> = new Map([
  ['░', 0.25],
  ['▒', 0.5],
  ['▓', 0.75],
]);

/** Ways out of a cell's middle: up, right, down, left. */
const ARMS: ReadonlyMap<string, string> = new Map([
  ['─', 'rl'],
  ['│', 'ud'],
  ['┌', 'rd'],
  ['┐', 'dl'],
  ['└', 'ur'],
  ['┘', 'ul'],
  ['├', 'urd'],
  ['┤', 'udl'],
  ['┬', 'rdl'],
  ['┴', 'url'],
  ['┼', 'urdl'],
]);
const HEAVY_OF: ReadonlyMap<string, string> = new Map([
  ['━', '─'],
  ['┃', '│'],
  ['┏', '┌'],
  ['┓', '┐'],
  ['┗', '└'],
  ['┛', '┘'],
]);
const ROUND_OF: ReadonlyMap<string, string> = new Map([
  ['╭', '┌'],
  ['╮', '┐'],
  ['╰', '└'],
  ['╯', '┘'],
]);
const DOUBLE_OF: ReadonlyMap<string, string> = new Map([
  ['═', '─'],
  ['║', '│'],
  ['╔', '┌'],
  ['╗', '┐'],
  ['╚', '└'],
  ['╝', '┘'],
]);

/** Where a run of equal cells lies, in SVG units. */
export interface ShapePlace {
  readonly left: number;
  readonly top: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Cells side by side. */
  readonly count: number;
}

/** True for a character that is drawn as a shape. */
export function isShape(text: string): boolean {
  return (
    isBlock(text) ||
    SHADES.has(text) ||
    ARMS.has(text) ||
    HEAVY_OF.has(text) ||
    ROUND_OF.has(text) ||
    DOUBLE_OF.has(text)
  );
}

/**
 * SVG elements of a run of one shape character.
 *
 * @param style further attributes, each with a space before it
 */
export function drawShape(text: string, place: ShapePlace, color: string, style: string): string[] {
  const { left, top, cellWidth, cellHeight, count } = place;
  const shade = SHADES.get(text);
  if (shade !== undefined) {
    const opacity = ` fill-opacity="${shade}"`;
    return [rect(left, top, cellWidth * count, cellHeight, color, opacity + style)];
  }
  if (isBlock(text)) return drawBlocks(text, place, color, style);
  const paths: string[] = [];
  // What runs through from left to right is one line, everything else one for each cell.
  const runs = isAcross(text) ? 1 : count;
  const width = isAcross(text) ? cellWidth * count : cellWidth;
  for (let i = 0; i < runs; i++) {
    paths.push(linesOf(text, left + i * cellWidth, top, width, cellHeight));
  }
  const stroke = HEAVY_OF.has(text) ? HEAVY : LIGHT;
  return [
    `<path d="${paths.join(' ')}" fill="none" stroke="${color}" stroke-width="${stroke}"${style}/>`,
  ];
}

/** U+2581 … U+2588 grow from below, U+2589 … U+258F shrink to the left, by eighths. */
function isBlock(text: string): boolean {
  return text.length === 1 && text >= '▁' && text <= '▏';
}

function drawBlocks(text: string, place: ShapePlace, color: string, style: string): string[] {
  const { left, top, cellWidth, cellHeight, count } = place;
  const code = text.charCodeAt(0);
  if (code <= 0x2588) {
    const height = (cellHeight * (code - 0x2580)) / 8;
    return [rect(left, top + cellHeight - height, cellWidth * count, height, color, style)];
  }
  const width = (cellWidth * (0x2590 - code)) / 8;
  return Array.from({ length: count }, (_, i) =>
    rect(left + i * cellWidth, top, width, cellHeight, color, style),
  );
}

function isAcross(text: string): boolean {
  return text === '─' || text === '━' || text === '═';
}

function linesOf(text: string, left: number, top: number, width: number, height: number): string {
  const plain = HEAVY_OF.get(text) ?? ROUND_OF.get(text) ?? DOUBLE_OF.get(text) ?? text;
  const arms = ARMS.get(plain)!;
  const [x, y] = [left + width / 2, top + height / 2];
  const ends: Record<string, readonly [number, number]> = {
    u: [x, top],
    r: [left + width, y],
    d: [x, top + height],
    l: [left, y],
  };
  const [first, second] = [ends[arms[0]!]!, ends[arms[1]!]!];
  if (ROUND_OF.has(text)) return `M${point(first)} Q${point([x, y])} ${point(second)}`;
  if (!DOUBLE_OF.has(text)) {
    if (arms.length === 2) return `M${point(first)} L${point([x, y])} L${point(second)}`;
    return [...arms].map((arm) => `M${point([x, y])} L${point(ends[arm]!)}`).join(' ');
  }
  // Two lines beside the middle one; at a corner both move towards its inside, or both away.
  const [towardsX, towardsY] = [
    arms.includes('r') && !arms.includes('l') ? 1 : -1,
    arms.includes('d') && !arms.includes('u') ? 1 : -1,
  ];
  return [-DOUBLE_GAP, DOUBLE_GAP]
    .map((gap) => {
      const [dx, dy] = [gap * towardsX, gap * towardsY];
      const moved = ([ex, ey]: readonly [number, number]): readonly [number, number] =>
        ex === x ? [ex + dx, ey] : [ex, ey + dy];
      const middle = isStraight(arms) ? '' : `L${point([x + dx, y + dy])} `;
      return `M${point(moved(first))} ${middle}L${point(moved(second))}`;
    })
    .join(' ');
}

function isStraight(arms: string): boolean {
  return arms === 'rl' || arms === 'ud';
}

/** Edges on whole pixels: neighbours would show a seam between them. */
const CRISP = ' shape-rendering="crispEdges"';

function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  color: string,
  style: string,
): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${color}"${style}${CRISP}/>`;
}

function point([x, y]: readonly [number, number]): string {
  return `${round(x)},${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
