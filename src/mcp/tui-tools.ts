import type { Printable } from '../tui/json/print.ts';

export type ArgumentType = 'string' | 'integer' | 'boolean' | 'strings';

/** One argument of a tool, in the order in which it joins the command line (U-220). */
export interface ToolArgument {
  readonly name: string;
  readonly type: ArgumentType;
}

/** One MCP tool: which command it runs and how its words are made (U-218, U-220). */
export interface TuiTool {
  readonly name: string;
  readonly command: string;
  readonly description: string;
  /** `file` first where there is one; `steps` is handed over apart. */
  readonly arguments: readonly ToolArgument[];
  /** Words at the end of the command line. */
  readonly tail: readonly string[];
}

const FILE = 'The document is read from the working directory; nothing is written.';

/** The tools in the order of `tools/list` (U-218). */
export const TUI_TOOLS: readonly TuiTool[] = [
  {
    name: 'tuimark_validate',
    command: 'validate',
    description: `Check a .tui document: every problem with code, line, column and path, and the actions that it fires, as JSON. Use when a document was written or changed, before looking at it. ${FILE} data: JSON file for the bindings; catalog: JSON file with the action names that the program implements.`,
    arguments: list('file data theme', 'strict', 'catalog'),
    tail: ['--json'],
  },
  {
    name: 'tuimark_dump',
    command: 'dump',
    description: `Draw one frame of a .tui document as JSON: the grid as text, every node with its rectangle, focus and problems. Use when you want to see what a document looks like at a size; 80 and 120 columns are good first looks. ${FILE} styles adds colours, cells adds the owner of every cell.`,
    arguments: [
      ...list('file data'),
      ...integers('cols rows'),
      ...list('theme', 'styles cells strict'),
    ],
    tail: ['--format', 'json'],
  },
  {
    name: 'tuimark_play',
    command: 'play',
    description: `Replay input on a .tui document without a terminal and get the last frame and the actions that fired, as JSON. Use when a document has inputs, lists, keymaps or modals. Each step is one string: a key such as "tab", "enter" or "j"; "text:hello"; "paste:…"; "set:path=JSON"; "focus:#id"; "resize:100x30"; "click:X,Y"; "wheel-down:X,Y". ${FILE} frames adds the frame after every step.`,
    arguments: [
      ...list('file'),
      { name: 'steps', type: 'strings' },
      ...list('data'),
      ...integers('cols rows'),
      ...list('theme', 'strict styles cells frames'),
    ],
    tail: ['--format', 'json'],
  },
  {
    name: 'tuimark_inspect',
    command: 'inspect',
    description: `Explain one node of a frame: its rectangle, classes, and for every style property the value and the rule it comes from, as JSON. Use when something has the wrong place, size or colour. Give exactly one of at ("X,Y", counted from 0) and id. ${FILE}`,
    arguments: [
      ...list('file data'),
      ...integers('cols rows'),
      ...list('theme', 'strict', 'at id'),
    ],
    tail: ['--json'],
  },
  {
    name: 'tuimark_agents',
    command: 'agents',
    description:
      'The briefing on the .tui language: tags, attributes, style properties, bindings, keys, actions and every diagnostic code. Use when you are about to write or change a document and do not know the language yet.',
    arguments: [],
    tail: [],
  },
];

/** A tool by name. */
export function findTool(name: string): TuiTool | undefined {
  return TUI_TOOLS.find((tool) => tool.name === name);
}

/** The `tools` of `tools/list`: members sorted, no pagination (U-218, U-219). */
export function toolList(): Printable[] {
  return TUI_TOOLS.map(({ name, description, arguments: taken }) => {
    const sorted = [...taken].sort((a, b) => (a.name < b.name ? -1 : 1));
    return {
      annotations: { readOnlyHint: true },
      description,
      inputSchema: {
        additionalProperties: false,
        properties: new Map(sorted.map((argument) => [argument.name, schemaOf(argument)])),
        required: taken.length > 0 ? ['file'] : undefined,
        type: 'object',
      },
      name,
    };
  });
}

function schemaOf({ name, type }: ToolArgument): Printable {
  if (name === 'theme') return { enum: ['dark', 'light'], type: 'string' };
  if (type === 'integer') return { maximum: 1000, minimum: 1, type: 'integer' };
  if (type === 'boolean') return { type: 'boolean' };
  if (type === 'strings') return { items: { type: 'string' }, type: 'array' };
  return { type: 'string' };
}

/** Strings, then booleans, then strings again, each a list of names. */
function list(strings: string, booleans = '', more = ''): ToolArgument[] {
  return [...named(strings, 'string'), ...named(booleans, 'boolean'), ...named(more, 'string')];
}

function integers(names: string): ToolArgument[] {
  return named(names, 'integer');
}

function named(names: string, type: ArgumentType): ToolArgument[] {
  return names
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => ({ name, type }));
}
