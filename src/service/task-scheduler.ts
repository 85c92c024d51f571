import { join } from 'node:path';
import { escapeXml } from './launchd.ts';
import type { ServicePlan, ServiceRecipe } from './plan.ts';

export const TASK = 'lectern';

/** A Windows scheduled task that starts at log-on (Task Scheduler schema 1.2). */
export function planTaskScheduler(plan: ServicePlan): ServiceRecipe {
  const file = join(plan.stateRoot, 'lectern-task.xml');
  // A task has no environment of its own, so another state root goes into the arguments.
  const root = plan.isDefaultRoot ? '' : ` --state-root "${plan.stateRoot}"`;
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
      <Command>${escapeXml(plan.node)}</Command>
      <Arguments>${escapeXml(`"${plan.entry}" run --service${root}`)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
  return {
    platform: 'task-scheduler',
    file,
    content,
    output: plan.output,
    encoding: 'utf16le',
    install: [
      ['schtasks', '/Create', '/F', '/TN', TASK, '/XML', file],
      ['schtasks', '/Run', '/TN', TASK],
    ],
    uninstall: [
      ['schtasks', '/End', '/TN', TASK],
      ['schtasks', '/Delete', '/F', '/TN', TASK],
    ],
    query: ['schtasks', '/Query', '/TN', TASK],
    start: ['schtasks', '/Run', '/TN', TASK],
    verify: null,
    hint: null,
  };
}
