import { eventually } from '../eventually.ts';
import { findProcesses } from './find-processes.ts';
import type { McpProcess } from './mcp-process.ts';

/** End proxies, stopped ones too, and whatever else runs on a state root. */
export async function endAll(proxies: readonly McpProcess[], root: string): Promise<void> {
  for (const proxy of proxies) {
    proxy.child.kill('SIGCONT');
    proxy.child.kill('SIGKILL');
    await proxy.exited;
  }
  // A proxy killed while it started a daemon leaves one that is about to live.
  await eventually(() => {
    for (const pid of findProcesses(root)) end(pid);
    if (findProcesses(root).length > 0) throw new Error('a process does not die');
  });
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // A child goes with its parent, between our look and our blow.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
