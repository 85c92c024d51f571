import type { ServerContext } from '@modelcontextprotocol/server';
import type { IndexProgress } from '../../store/indexer-port.ts';

/** A host redraws a line a few times a second; more would only be traffic. */
const EVERY_MS = 250;

const STAGES: Record<string, string> = {
  reading: 'reading catalogs',
  descriptions: 'embedding descriptions',
  bodies: 'embedding bodies',
};

/**
 * Run a call and meanwhile tell the client how far indexing is, if it asked by a
 * `progressToken` (MCP, basic/utilities/progress): at once, so that even a quick
 * answer is known to be one of a growing index, and again while the call waits.
 * Nothing is sent while nothing is indexed, nor after the call. `progress` never
 * falls, as the specification asks; a new stage starts from the one before.
 */
export async function reportProgress<T>(
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
  read: () => IndexProgress,
  work: () => Promise<T>,
): Promise<T> {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return work();
  let sent = -1;
  let stage = '';
  let before = 0;
  const report = (): void => {
    const now = read();
    if (now.stage === 'idle') return;
    if (now.stage !== stage) {
      stage = now.stage;
      before = Math.max(0, sent);
    }
    const progress = before + now.done;
    if (progress <= sent) return;
    sent = progress;
    const message = `${STAGES[stage] ?? stage}: ${now.done} of ${now.total}`;
    const params = { progressToken: token, progress, total: before + now.total, message };
    // A client that is gone needs none.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  report();
  const timer = setInterval(report, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
