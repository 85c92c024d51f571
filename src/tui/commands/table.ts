/** One flag of a command (U-147). */
export interface FlagEntry {
  readonly name: string;
  readonly type: 'bool' | 'int' | 'string';
  readonly about: string;
  /** Shown in the usage block when it is not zero. */
  readonly byDefault?: string;
}

/** One command of the tools, as help and the flag parser know it (U-131, U-147). */
export interface CommandEntry {
  readonly name: string;
  /** Words behind the name in the help text. */
  readonly words: string;
  readonly about: string;
  readonly flags: readonly FlagEntry[];
}

const bool = (name: string, about: string): FlagEntry => ({ name, type: 'bool', about });
const text = (name: string, about: string, byDefault?: string): FlagEntry => ({
  name,
  type: 'string',
  about,
  byDefault,
});

const COLS: FlagEntry = {
  name: 'cols',
  type: 'int',
  about: 'frame width in cells',
  byDefault: '80',
};
const ROWS: FlagEntry = {
  name: 'rows',
  type: 'int',
  about: 'frame height in cells',
  byDefault: '24',
};
const FORMAT = text('format', 'output format: text or json', 'text');
const DATA = text('data', 'JSON file with the data store');
const CELLS = bool('cells', 'list every cell with its owner (JSON only)');
const STYLES = bool('styles', 'list the styled spans of every row (JSON only)');
const STRICT = bool('strict', 'treat missing bind paths as errors');
const THEME = text('theme', 'palette to use: dark or light');

/** Every command, in the order of the help text. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'validate',
    words: 'FILE',
    about: 'report every problem of a document',
    flags: [
      bool('json', 'print one JSON object'),
      STRICT,
      text('catalog', 'JSON file with the action names that the host implements'),
      DATA,
      THEME,
    ],
  },
  {
    name: 'dump',
    words: 'FILE',
    about: 'print one frame: grid, nodes, problems',
    flags: [COLS, ROWS, FORMAT, DATA, CELLS, STYLES, STRICT, THEME],
  },
  {
    name: 'play',
    words: 'FILE',
    about: 'replay input and print the last frame and the actions that fired',
    flags: [
      COLS,
      ROWS,
      DATA,
      THEME,
      text('input', 'steps separated by spaces'),
      text('script', 'file with one JSON step per line'),
      FORMAT,
      CELLS,
      STYLES,
      bool('frames', 'print the frame after every step'),
      STRICT,
    ],
  },
  {
    name: 'inspect',
    words: 'FILE',
    about: 'explain one node: place, classes, every property and where it comes from',
    flags: [
      text('at', 'the node at this cell: X,Y, counted from 0'),
      text('id', 'the node with this id'),
      COLS,
      ROWS,
      DATA,
      THEME,
      STRICT,
      bool('json', 'print one JSON object'),
    ],
  },
  { name: 'agents', words: '', about: 'print the briefing for coding agents', flags: [] },
  {
    name: 'fmt',
    words: 'FILE',
    about: 'print a document in its standard form',
    flags: [
      bool('write', 'write the result back to FILE'),
      bool('check', 'only say whether FILE is in its standard form'),
    ],
  },
  {
    name: 'test',
    words: '[DIR]',
    about: 'compare documents with their stored frames',
    flags: [
      bool('update', 'rewrite the stored frames'),
      bool('allow-breaking', 'with --update, also where a JSON frame loses members'),
    ],
  },
  { name: 'ir', words: 'FILE', about: 'print the parsed document as JSON', flags: [] },
  {
    name: 'preview',
    words: 'FILE',
    about: 'print a frame, in colour on a terminal',
    flags: [
      COLS,
      ROWS,
      DATA,
      bool('watch', 'print again whenever a file changes'),
      THEME,
      text('color', 'colour depth: truecolor, 256, 16, or none'),
    ],
  },
  {
    name: 'host',
    words: 'FILE',
    about: 'run a document for a parent process that speaks JSON lines on descriptors 3 and 4',
    flags: [
      DATA,
      THEME,
      text('reply-timeout', 'how long the parent may take to answer an event', '5s'),
    ],
  },
  {
    name: 'run',
    words: 'FILE',
    about: 'run a document in this terminal',
    flags: [DATA, THEME, STRICT, text('color', 'colour depth: truecolor, 256, 16, or none')],
  },
  {
    name: 'shot',
    words: 'FILE',
    about: 'draw a frame as an SVG picture',
    flags: [
      COLS,
      ROWS,
      DATA,
      THEME,
      text('input', 'steps to replay first, separated by spaces'),
      text('output', 'file to write instead of stdout'),
    ],
  },
  { name: 'mcp', words: '', about: 'serve the tools over MCP on stdin and stdout', flags: [] },
  { name: 'version', words: '', about: 'print the version', flags: [] },
  { name: 'help', words: '', about: 'print this text', flags: [] },
];
