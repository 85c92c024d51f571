import { devNull } from 'node:os';

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * What git needs of the environment it runs for (design 4). Variables that
 * bind git to another repository (`GIT_DIR`, `GIT_INDEX_FILE`, …), as set
 * while a hook runs, or that inject configuration, are not among them.
 */
const PASSED =
  /^(?:HOME|PATH|LANG|LC_[A-Z]+|TMPDIR|TEMP|TMP|USER|LOGNAME|USERPROFILE|SYSTEMROOT|APPDATA|LOCALAPPDATA|XDG_[A-Z_]+|SSH_AUTH_SOCK|SSH_AGENT_PID|(?:https?|all|no)_proxy|GIT_SSH|GIT_SSH_COMMAND|GIT_SSH_VARIANT|GIT_SSL_[A-Z_]+|GIT_PROXY_[A-Z_]+|GIT_HTTP_[A-Z_]+|GIT_CONFIG_GLOBAL|GIT_CONFIG_SYSTEM|GIT_CONFIG_NOSYSTEM|GIT_EXEC_PATH|GIT_TEMPLATE_DIR)$/i;

/** Settings of every git run: nothing that a repository brings along is executed. */
export const GIT_SETTINGS: readonly string[] = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.askPass=',
  'core.autocrlf=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'protocol.ext.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
  // A work tree's own configuration could name any program to check signatures with.
  'log.showSignature=false',
  // A server that sends less than this for so long has stopped answering.
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
];

/**
 * The whole environment of one git run: the session's own, prompts off,
 * protocols limited.
 *
 * @param authorization header value for `origin`, so that a password stands
 *   neither in an argument list nor in the clone's configuration
 */
export function gitEnvironment(
  env: GitEnvironment,
  authorization?: { origin: string; value: string },
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && PASSED.test(name)) passed[name] = value;
  }
  return {
    ...passed,
    GIT_TERMINAL_PROMPT: '0',
    // Set but empty: git then asks no helper program at all.
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
    GIT_SSH_COMMAND: `${passed['GIT_SSH_COMMAND'] ?? passed['GIT_SSH'] ?? 'ssh'} -oBatchMode=yes`,
    ...(authorization === undefined
      ? {}
      : {
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: `http.${authorization.origin}.extraHeader`,
          GIT_CONFIG_VALUE_0: `Authorization: ${authorization.value}`,
        }),
  };
}

/** The Authorization header that the userinfo of an http(s) URL stands for; undefined without one. */
export function authorizationOf(url: string): { origin: string; value: string } | undefined {
  if (!/^https?:\/\//i.test(url)) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.username === '' && parsed.password === '')) return undefined;
  const userinfo = `${decode(parsed.username)}:${decode(parsed.password)}`;
  return {
    origin: `${parsed.origin}/`,
    value: `Basic ${Buffer.from(userinfo).toString('base64')}`,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
