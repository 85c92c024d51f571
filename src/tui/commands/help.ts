import { COMMANDS } from './table.ts';

const EXIT_CODES = `Exit codes:
  0  ok
  1  usage, a file that cannot be read or written, or a crash
  2  the document has an error, is not in its standard form, or differs from a stored frame
`;

/** The help text: every command with its flags, then the exit codes (U-132). */
export function helpText(): string {
  const lines = [
    'Terminal user interfaces as text: check, draw, replay and explain .tui documents.',
    '',
    'Usage: lectern tui COMMAND [FLAGS] …',
    '',
    'Commands:',
  ];
  for (const { name, words, about, flags } of COMMANDS) {
    lines.push(`  ${[name, words].filter((part) => part !== '').join(' ')}`);
    lines.push(`      ${about}`);
    for (const flag of flags) {
      const value = flag.type === 'bool' ? '' : ` ${flag.type.toUpperCase()}`;
      lines.push(`      --${flag.name}${value}  ${flag.about}`);
    }
  }
  return `${lines.join('\n')}\n\n${EXIT_CODES}`;
}
