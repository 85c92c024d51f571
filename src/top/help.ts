/** The keys, for the help window and the manual page. */
export const HELP: readonly { readonly keys: string; readonly what: string }[] = [
  { keys: '1 … 5', what: 'sessions, searches, index, problems, log' },
  { keys: 'tab ← →', what: 'next or previous view; the log keeps the arrows to itself' },
  { keys: '↑ ↓ j k', what: 'move; g and G to the first and last, PgUp and PgDn by pages' },
  { keys: 'enter', what: 'show the row in full' },
  { keys: '/', what: 'filter every view by words; esc clears it' },
  { keys: 's', what: 'sort by the next column' },
  { keys: 'r', what: 'turn the order round; a click on a title does both' },
  { keys: 'l', what: 'the log; at its end it follows what is written' },
  { keys: 'p', what: 'pause: keep the picture as it is' },
  { keys: 'm', what: 'mouse on or off (off lets the terminal select text)' },
  { keys: '?', what: 'these keys' },
  { keys: 'q ctrl+c', what: 'quit' },
];
