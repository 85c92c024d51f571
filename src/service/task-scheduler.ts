import { join } from 'node:path';
import { nameService } from './name.ts';
import type { ServicePlan, ServiceRecipe } from './plan.ts';
import { escapeXml, unescapeXml } from './xml.ts';

/** A Windows scheduled task that starts at log-on (Task Scheduler schema 1.2). */
export function planTaskScheduler(plan: ServicePlan): ServiceRecipe {
  const name = nameService('task-scheduler', plan.instance);
  const file = join(plan.stateRoot, `${name}-task.xml`);
  const [program, ...args] = plan.command;
  const words = [...args.map(quote), 'run', '--service'];
  // A task has no environment of its own, so another state root goes into the arguments.
  if (plan.namesRoot) words.push('--state-root', quote(plan.stateRoot));
  // Without a name it would start when anybody logs on, which only administrators may ask for.
  const user = plan.account === null ? '' : `      <UserId>${escapeXml(plan.account)}</UserId>\n`;
  const content = `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>lectern, one library of skills for every coding agent</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
${user}    </LogonTrigger>
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Hidden>true</Hidden>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions>
    <Exec>
      <Command>${escapeXml(program!)}</Command>
      <Arguments>${escapeXml(words.join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
  return {
    platform: 'task-scheduler',
    name,
    file,
    content,
    output: plan.output,
    encoding: 'utf16le',
    prepare: [],
    unload: null,
    install: [
      ['schtasks', '/Create', '/F', '/TN', name, '/XML', file],
      ['schtasks', '/Run', '/TN', name],
    ],
    uninstall: [
      ['schtasks', '/End', '/TN', name],
      ['schtasks', '/Delete', '/F', '/TN', name],
    ],
    afterRemoval: [],
    links: [],
    query: ['schtasks', '/Query', '/TN', name],
    print: ['schtasks', '/Query', '/TN', name, '/XML'],
    start: ['schtasks', '/Run', '/TN', name],
    verify: null,
    hint: null,
  };
}

/** The state root that a task serves; empty when it names none. */
export function readTaskRoots(task: string): string[] {
  const words = /<Arguments>([^<]*)<\/Arguments>/.exec(task)?.[1] ?? '';
  const found = / --state-root "([^"]*)"/.exec(unescapeXml(words));
  if (found === null) return [];
  // A backslash before the closing quote is doubled; former versions wrote one.
  return [found[1]!.replace(/\\+$/, (slashes) => '\\'.repeat(Math.ceil(slashes.length / 2)))];
}

/** One argument as the C runtime of Windows reads it: backslashes count only before a quote. */
function quote(word: string): string {
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}
