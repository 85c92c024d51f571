import type { AdminMethod } from '../protocol/admin/method.ts';
import { connectAdmin } from '../protocol/client.ts';
import type { Step } from './progress.ts';

export interface AskOptions {
  /** `--workspace`, when given. */
  workspace: string | null;
  /** Start the daemon when there is none. */
  autostart: boolean;
  onProgress: (step: Step) => void;
  /** Told in one line when nobody has said anything for seconds. */
  onSilent: (what: string) => void;
}

/** Lets everything pass: the daemon checks what it is asked, with the method's own schema. */
const anything = { parse: (value: unknown) => value };

/**
 * One question to the daemon. The method is only a name here, so that a command
 * does not load the schemas: they cost more than the question.
 *
 * @throws LecternError of the daemon's category; mcp_startup when none can be reached
 */
export async function askDaemon(
  method: string,
  params: unknown,
  { workspace, autostart, onProgress, onSilent }: AskOptions,
): Promise<unknown> {
  const admin = await connectAdmin({
    workspace,
    autostart,
    onSilent,
    onAbsent: (what) => onProgress({ what, done: 0, total: null }),
  });
  try {
    const unchecked = { method, params: anything, result: anything } as unknown as AdminMethod;
    return await admin.call(unchecked, params, { onProgress });
  } finally {
    admin.close();
  }
}
