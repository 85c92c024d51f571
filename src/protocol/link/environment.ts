/**
 * Which environment variables cross a process boundary (design 4). A daemon
 * outlives the shell that started it and serves many: what is not listed here
 * would be one session's environment leaking into another's.
 */

/** Markers by which agent hosts are recognised, and their home overrides (registry contract 7.1). */
const AGENT_VARIABLES = [
  'AUGMENT_AGENT',
  'CLAUDECODE',
  'CLAUDE_CODE',
  'CLAUDE_CONFIG_DIR',
  'CLINE_ACTIVE',
  'CODEX_HOME',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CURSOR_TRACE_ID',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'GOOSE_PROVIDER',
  'GROK_HOME',
  'GROK_PLUGIN_ROOT',
  'GROK_PLUGIN_DATA',
  'JUNIE_DATA',
  'JUNIE_SHIM_PATH',
  'OPENCODE',
  'OPENCODE_CLIENT',
  'REPL_ID',
];

/** Claude Code names its project and session to the servers it starts (library contract 7.2). */
const CLAUDE_VARIABLES = ['CLAUDE_PROJECT_DIR', 'CLAUDE_SESSION_ID', 'CLAUDE_EFFORT'];

const PROXY_VARIABLES = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];

const SHARED = new Set([
  'HOME',
  'PATH',
  'LANG',
  'TZ',
  'TMPDIR',
  'USER',
  'LOGNAME',
  // The service manager of the user's session is reached over it.
  'DBUS_SESSION_BUS_ADDRESS',
  // Without these a Windows process cannot open sockets or find its home.
  'SystemRoot',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'TEMP',
  'TMP',
  ...PROXY_VARIABLES,
]);
const SHARED_PREFIXES = ['LC_', 'XDG_', 'LECTERN_'];

const SESSION_ONLY = new Set([
  'SSH_AUTH_SOCK',
  'MAX_MCP_OUTPUT_TOKENS',
  ...AGENT_VARIABLES,
  ...CLAUDE_VARIABLES,
]);
const SESSION_PREFIXES = [...SHARED_PREFIXES, 'TOME_ENV_', 'SKILLSET_', 'GIT_'];

/** Variables of a client that travel in its hello and act for its session alone. */
export function pickSessionEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return pick(
    env,
    (name) => SHARED.has(name) || SESSION_ONLY.has(name) || starts(name, SESSION_PREFIXES),
  );
}

/** Variables that a daemon is started with. */
export function pickDaemonEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return pick(env, (name) => SHARED.has(name) || starts(name, SHARED_PREFIXES));
}

function starts(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}

function pick(env: NodeJS.ProcessEnv, allows: (name: string) => boolean): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && allows(name)) picked[name] = value;
  }
  return picked;
}
