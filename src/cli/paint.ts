/** The few colours lectern uses, each named for what it says. */
export interface Paint {
  strong(text: string): string;
  quiet(text: string): string;
  good(text: string): string;
  warning(text: string): string;
  bad(text: string): string;
  name(text: string): string;
}

const plain = (text: string): string => text;

/** SGR pairs; the closing code ends only its own attribute, so that paints nest. */
const sgr =
  (open: number, close: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`;

export const PLAIN: Paint = {
  strong: plain,
  quiet: plain,
  good: plain,
  warning: plain,
  bad: plain,
  name: plain,
};

const COLOURED: Paint = {
  strong: sgr(1, 22),
  quiet: sgr(2, 22),
  good: sgr(32, 39),
  warning: sgr(33, 39),
  bad: sgr(31, 39),
  name: sgr(36, 39),
};

export function paintFor(colour: boolean): Paint {
  return colour ? COLOURED : PLAIN;
}
