import { eventually } from '../eventually.ts';
import { findDaemons } from './find-daemons.ts';
import type { McpProcess } from './mcp-process.ts';

/** End proxies, stopped ones too, and every daemon of a state root. */
export async function endAll(proxies: readonly McpProcess[], root: string): Promise<void> {
  for (const proxy of proxies) {
    proxy.child.kill('SIGCONT');
    proxy.child.kill('SIGKILL');
    await proxy.exited;
  }
  // A proxy killed while it started a daemon leaves one that is about to live.
  await eventually(() => {
    for (const pid of findDaemons(root)) process.kill(pid, 'SIGKILL');
    if (findDaemons(root).length > 0) throw new Error('a daemon does not die');
  });
}
