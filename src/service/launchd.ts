import { join } from 'node:path';
import { RESTART_SECONDS, type ServicePlan, type ServiceRecipe, STOP_SECONDS } from './plan.ts';

export const LABEL = 'dev.lectern.daemon';

/** A launchd agent of the user (launchd.plist(5)). */
export function planLaunchd(plan: ServicePlan, home: string, uid: number): ServiceRecipe {
  const file = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const environment = plan.isDefaultRoot
    ? ''
    : `  <key>EnvironmentVariables</key>
  <dict>
    <key>LECTERN_HOME</key>
    <string>${escapeXml(plan.stateRoot)}</string>
  </dict>
`;
  const words = [plan.node, plan.entry, 'run', '--service'];
  const content = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${escapeXml(word)}</string>`).join('\n')}
  </array>
${environment}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>${RESTART_SECONDS}</integer>
  <key>ExitTimeOut</key>
  <integer>${STOP_SECONDS}</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  <string>${escapeXml(plan.output)}</string>
  <key>StandardErrorPath</key>
  <string>${escapeXml(plan.output)}</string>
</dict>
</plist>
`;
  const target = `gui/${uid}`;
  return {
    platform: 'launchd',
    file,
    content,
    output: plan.output,
    encoding: 'utf8',
    install: [['launchctl', 'bootstrap', target, file]],
    uninstall: [['launchctl', 'bootout', `${target}/${LABEL}`]],
    query: ['launchctl', 'print', `${target}/${LABEL}`],
    start: ['launchctl', 'kickstart', `${target}/${LABEL}`],
    verify: ['plutil', '-lint', file],
    hint: null,
  };
}

/** Text inside an XML element; control characters that XML forbids are dropped. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
