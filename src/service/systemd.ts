import { isAbsolute, join } from 'node:path';
import { nameService } from './name.ts';
import {
  RESTART_SECONDS,
  type ServicePlan,
  type ServiceRecipe,
  STOP_SECONDS,
  type Surroundings,
} from './plan.ts';

/**
 * When systemd gives up. A daemon that dies at once slows its own restarts down
 * to a dozen in this time, so that it is there again when what killed it is
 * over; a Node that cannot be run at all, every RESTART_SECONDS, is not worth it.
 */
export const LIMIT_SECONDS = 90;
export const LIMIT_BURST = 15;

/** Which target starts it: the one that every user session reaches. */
const TARGET = 'default.target';

/**
 * A systemd user unit (systemd.service(5)).
 *
 * `--service` makes the daemon wait for the lock while another one owns it, so
 * that Restart= never loops against a daemon that a proxy started. Type=exec lets
 * whoever starts the unit know when Node cannot be run: its version was removed.
 * OOMPolicy=continue: where memory runs out the kernel picks the embedder, which
 * the daemon starts again; systemd would end them both.
 */
export function planSystemd(plan: ServicePlan, around: Surroundings): ServiceRecipe {
  const name = nameService('systemd', plan.instance);
  const configHome = findConfigHome(around);
  const units = join(configHome, 'systemd', 'user');
  const file = join(units, name);
  // The manager was not started from this shell: it looks below the home directory that it
  // knows, and what lies elsewhere has to be shown to it.
  const isElsewhere = configHome !== join(around.loginHome, '.config');
  const content = `[Unit]
Description=lectern, one library of skills for every coding agent
StartLimitIntervalSec=${LIMIT_SECONDS}
StartLimitBurst=${LIMIT_BURST}

[Service]
Type=exec
ExecStart=${writeCommand([...plan.command, 'run', '--service'])}
${plan.namesRoot ? `Environment=${quote(`LECTERN_HOME=${plan.stateRoot}`)}\n` : ''}UMask=0077
Restart=on-failure
RestartSec=${RESTART_SECONDS}
KillMode=mixed
TimeoutStopSec=${STOP_SECONDS}
OOMPolicy=continue
${writeOutput(plan.output)}
[Install]
WantedBy=${TARGET}
`;
  const systemctl = (...words: string[]) => ['systemctl', '--user', ...words];
  return {
    platform: 'systemd',
    name,
    file,
    content,
    output: plan.output,
    encoding: 'utf8',
    // One that systemd has given up would otherwise not be started again.
    prepare: [systemctl('reset-failed', name)],
    unload: null,
    install: [systemctl('daemon-reload'), systemctl('enable', '--now', isElsewhere ? file : name)],
    uninstall: [systemctl('disable', '--now', name)],
    afterRemoval: [systemctl('daemon-reload'), systemctl('reset-failed', name)],
    links: [join(units, `${TARGET}.wants`, name)],
    query: systemctl('is-active', name),
    print: null,
    start: systemctl('start', name),
    verify: ['systemd-analyze', '--user', 'verify', file],
    hint: around.isLingering
      ? null
      : 'loginctl enable-linger   (keeps it running while you are logged out)',
  };
}

/** A relative XDG_CONFIG_HOME counts as unset (XDG Base Directory Specification). */
function findConfigHome({ home, configHome }: Surroundings): string {
  return configHome !== undefined && isAbsolute(configHome) ? configHome : join(home, '.config');
}

/**
 * The state root that a unit serves, as it is and as former versions wrote it,
 * which doubled each `$`; empty when it names none.
 */
export function readUnitRoots(unit: string): string[] {
  let root: string | undefined;
  for (const [, words] of unit.matchAll(/^[ \t]*Environment[ \t]*=(.*)$/gm)) {
    // An empty assignment takes back those before it.
    if (words!.trim() === '') root = undefined;
    for (const word of readWords(words!)) {
      if (word.startsWith('LECTERN_HOME=')) root = word.slice('LECTERN_HOME='.length);
    }
  }
  return root === undefined ? [] : [...new Set([root, root.replaceAll('$$', '$')])];
}

/**
 * A command line. In its arguments `$` begins a variable; in the program it does
 * not, and systemd takes no program with quotes, backslashes or control
 * characters in its name: a shell starts that one.
 */
function writeCommand([program, ...args]: string[]): string {
  const words = args.map((arg) => quote(arg.replaceAll('$', '$$$$')));
  if (!/["'\\\p{Cc}]/u.test(program!)) return [quote(program!), ...words].join(' ');
  const shell = ['/bin/sh', '-c', 'exec "$$0" "$$@"'];
  return [...shell.map(quote), quote(program!.replaceAll('$', '$$$$')), ...words].join(' ');
}

/** Nothing where the path cannot be written, for it takes no escapes: the journal has it then. */
function writeOutput(path: string): string {
  if (/\p{Cc}/u.test(path)) return '';
  return `StandardOutput=append:${escapeSpecifiers(path)}\nStandardError=inherit\n`;
}

/** One word of a unit file: quoted, with systemd's own escapes and specifiers neutralised. */
function quote(word: string): string {
  const escaped = escapeSpecifiers(word)
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/\p{Cc}/gu, escapeControl);
  return /^[\w@%+=:,./-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}

/** Byte by byte: `\xHH` is a byte, and those from U+0080 on have two in UTF-8. */
function escapeControl(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('');
}

function escapeSpecifiers(text: string): string {
  return text.replaceAll('%', '%%');
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', s: ' ' };

/** The words of a setting, as systemd reads them (systemd.syntax(7), Quoting). */
function readWords(text: string): string[] {
  const words = text.match(/(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) => {
    const bytes = word
      .replace(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'/g, (_, a, b) => a ?? b)
      .replace(/\\x([0-9a-f]{2})|\\(.)|[^\\]+/gi, (run, hex, letter) =>
        hex !== undefined
          ? String.fromCharCode(Number.parseInt(hex, 16))
          : Buffer.from(letter === undefined ? run : (ESCAPES[letter] ?? letter)).toString(
              'latin1',
            ),
      );
    return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('%%', '%');
  });
}
