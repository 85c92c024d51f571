/** How each agent host is told about lectern. Pure text. */

/** A word as a POSIX shell takes it. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

/**
 * Entries for the hosts that are asked for most, ready to paste.
 *
 * @param command what starts lectern, such as `['lectern', 'mcp']`
 */
export function describeWiring(command: readonly string[]): string {
  const [program, ...args] = command;
  const entry = { command: program, args };
  const json = JSON.stringify({ mcpServers: { lectern: entry } }, null, 2);
  // `meta` installs a skill into the host's own folder, and knows the host by this flag alone.
  const codex = JSON.stringify([...args, '--harness', 'codex']);
  const toml = `[mcp_servers.lectern]\ncommand = ${JSON.stringify(program)}\nargs = ${codex}`;
  const shell = [...command, '--harness', 'claude-code'].map(quoted).join(' ');
  return [
    'Claude Code',
    indented(`claude mcp add --scope user lectern -- ${shell}`),
    'Codex, in ~/.codex/config.toml',
    indented(toml),
    'Cursor in ~/.cursor/mcp.json, Gemini CLI in ~/.gemini/settings.json, and most others',
    indented(json),
    'and in Cursor add "--harness", "cursor" to the args. VS Code, Zed and opencode name',
    'things otherwise: see "Wire your agents" of the README.',
  ].join('\n');
}
