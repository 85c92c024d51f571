/**
 * Boxes of one frame. Each takes about a kilobyte until the frame is printed, and the tui thread of
 * a daemon has one gigabyte for everyone.
 */
export const MAX_BOXES = 250_000;

/** A frame would have more boxes than we lay out. */
export class FrameLimit extends Error {
  override readonly name = 'FrameLimit';

  constructor() {
    const way = 'show fewer elements, or a table, which makes boxes for the rows in view only';
    super(`the frame has more than ${MAX_BOXES} boxes; ${way}`);
  }
}
