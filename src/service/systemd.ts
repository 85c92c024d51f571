import { join } from 'node:path';
import { RESTART_SECONDS, type ServicePlan, type ServiceRecipe, STOP_SECONDS } from './plan.ts';

export const UNIT = 'lectern.service';

/**
 * When systemd gives up. A daemon that dies at once slows its own restarts down
 * to a dozen in this time, so that it is there again when what killed it is
 * over; a Node that cannot be run at all, every RESTART_SECONDS, is not worth it.
 */
export const LIMIT_SECONDS = 90;
export const LIMIT_BURST = 15;

/**
 * A systemd user unit (systemd.service(5)).
 *
 * `--service` makes the daemon wait for the lock while another one owns it, so
 * that Restart= never loops against a daemon that a proxy started. Type=exec lets
 * whoever starts the unit know when Node cannot be run: its version was removed.
 */
export function planSystemd(plan: ServicePlan, configHome: string): ServiceRecipe {
  const file = join(configHome, 'systemd', 'user', UNIT);
  const environment = plan.isDefaultRoot
    ? ''
    : `Environment=${quote(`LECTERN_HOME=${plan.stateRoot}`)}\n`;
  const content = `[Unit]
Description=lectern, one library of skills for every coding agent
StartLimitIntervalSec=${LIMIT_SECONDS}
StartLimitBurst=${LIMIT_BURST}

[Service]
Type=exec
ExecStart=${[plan.node, plan.entry, 'run', '--service'].map(quote).join(' ')}
${environment}UMask=0077
Restart=on-failure
RestartSec=${RESTART_SECONDS}
KillMode=mixed
TimeoutStopSec=${STOP_SECONDS}
StandardOutput=${`append:${escapeSpecifiers(plan.output)}`}
StandardError=inherit

[Install]
WantedBy=default.target
`;
  return {
    platform: 'systemd',
    file,
    content,
    output: plan.output,
    encoding: 'utf8',
    install: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', UNIT],
    ],
    uninstall: [['systemctl', '--user', 'disable', '--now', UNIT]],
    query: ['systemctl', '--user', 'is-active', UNIT],
    start: ['systemctl', '--user', 'start', UNIT],
    verify: ['systemd-analyze', '--user', 'verify', file],
    hint: 'loginctl enable-linger   (keeps it running while you are logged out)',
  };
}

/** One word of a unit file: quoted, with systemd's own escapes and specifiers neutralised. */
function quote(word: string): string {
  const escaped = escapeSpecifiers(word)
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('$', '$$$$')
    .replaceAll('\n', '\\n');
  return /^[\w@%+=:,./-]+$/.test(escaped) ? escaped : `"${escaped}"`;
}

function escapeSpecifiers(text: string): string {
  return text.replaceAll('%', '%%');
}
