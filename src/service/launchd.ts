import { join } from 'node:path';
import { nameService } from './name.ts';
import {
  RESTART_SECONDS,
  type ServicePlan,
  type ServiceRecipe,
  STOP_SECONDS,
  type Surroundings,
} from './plan.ts';
import { escapeXml, unescapeXml } from './xml.ts';

/** A launchd agent of the user (launchd.plist(5)). */
export function planLaunchd(plan: ServicePlan, { home, uid }: Surroundings): ServiceRecipe {
  const name = nameService('launchd', plan.instance);
  const file = join(home, 'Library', 'LaunchAgents', `${name}.plist`);
  const environment = plan.namesRoot
    ? `  <key>EnvironmentVariables</key>
  <dict>
    <key>LECTERN_HOME</key>
    <string>${escapeXml(plan.stateRoot)}</string>
  </dict>
`
    : '';
  const words = [...plan.command, 'run', '--service'];
  const content = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${name}</string>
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
  const domain = `gui/${uid}`;
  const target = `${domain}/${name}`;
  return {
    platform: 'launchd',
    name,
    file,
    content,
    output: plan.output,
    encoding: 'utf8',
    // `bootstrap` refuses what was once disabled, and what is loaded already.
    prepare: [['launchctl', 'enable', target]],
    unload: ['launchctl', 'bootout', target],
    install: [['launchctl', 'bootstrap', domain, file]],
    uninstall: [['launchctl', 'bootout', target]],
    afterRemoval: [],
    links: [],
    query: ['launchctl', 'print', target],
    print: null,
    start: ['launchctl', 'kickstart', target],
    verify: ['plutil', '-lint', file],
    hint: null,
  };
}

/** The state root that an agent serves; empty when it names none. */
export function readAgentRoots(agent: string): string[] {
  const found = /<key>\s*LECTERN_HOME\s*<\/key>\s*<string>([^<]*)<\/string>/.exec(agent);
  return found === null ? [] : [unescapeXml(found[1]!)];
}
