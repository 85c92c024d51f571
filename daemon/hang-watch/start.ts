import type { Scope } from '../../src/core/scope.ts';
import { readPart, startThread } from '../part-code.ts';
import { startHeartbeat } from '../watchdog.ts';

/**
 * Watch this thread from one of its own, where there is no indexer thread that
 * does it by the way. A read-only session that hangs would else keep its agent
 * waiting for as long as the agent lives: its proxy never takes silence for death.
 */
export function startHangWatch(scope: Scope): void {
  const thread = startThread(readPart(import.meta.url, './hang-watch.cjs', './main.ts'));
  thread.unref();
  // Without it a hang is not noticed, and nothing else is lost.
  thread.on('error', () => {});
  thread.postMessage(startHeartbeat(scope));
  scope.own(thread, (open) => open.terminate(), 'hang watch');
}
