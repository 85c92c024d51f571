/**
 * The parser's complaints about a command line, in one sentence each: what was
 * given, and what is taken. Its own have several lines, and say `Parsing`,
 * `The following error occurred` or `command doctor:extra not found`.
 */
type Rule = readonly [RegExp, (found: readonly string[]) => string];

const RULES: readonly Rule[] = [
  [
    /^Parsing (--\S+) *\n\s*Expected an integer(?: (greater|less) than or equal to (-?\d+))? but received: (.*)$/s,
    ([, flag, side, bound, given]) =>
      `${flag} wants a whole number${side === undefined || side === '' ? '' : ` of ${side === 'greater' ? 'at least' : 'at most'} ${bound}`}, got "${given}"`,
  ],
  [/^Parsing (--\S+) *\n\s*(.*)$/s, ([, flag, what]) => `${flag}: ${what}`],
  [
    /^Expected (--[^\s=]+)=(.*) to be one of: (.*)$/s,
    ([, flag, given, options]) => `${flag} wants one of ${options}, got "${given}"`,
  ],
  [
    /^Expected (.*) to be one of: (.*)$/s,
    ([, given, options]) => `"${given}" is none of: ${options}`,
  ],
  [
    /^Flag (--\S+) expects one of these values: (.*)$/s,
    ([, flag, options]) => `${flag} wants one of ${options}`,
  ],
  [/^Flag (--\S+) expects a value$/, ([, flag]) => `${flag} wants a value`],
  [
    /^Nonexistent flags?: (.*)$/s,
    ([, given]) =>
      `there ${given!.includes(', ') ? 'are no flags' : 'is no flag'} ${oneLine(given!)}`,
  ],
  [/^Unexpected arguments?: (.*)$/s, ([, given]) => `not expected here: ${oneLine(given!)}`],
  [
    /All of the following must be provided when using (--\S+): (.*)$/s,
    ([, flag, others]) => `${flag} needs ${others} too`,
  ],
  [
    /(--[^\s=]+)=.* cannot also be provided when using (--\S+)/s,
    ([, flag, other]) => `${flag} and ${other} exclude each other`,
  ],
];

/**
 * @param message of the parser, without its pointer to `--help`
 * @param commandId such as `catalog add`; a command that takes no arguments is taken for a part of a name
 */
export function plainUsage(message: string, commandId: string): string {
  const unknown = /^command (\S+) not found$/.exec(message)?.[1];
  const own = `${commandId.replaceAll(' ', ':')}:`;
  if (unknown?.startsWith(own) === true) {
    return `not expected here: ${unknown.slice(own.length).replaceAll(':', ' ')}`;
  }
  for (const [pattern, say] of RULES) {
    const found = pattern.exec(message);
    if (found !== null) return say(found);
  }
  return message;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
