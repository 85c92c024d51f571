import { classifyLine } from '../src/protocol/link/classify.ts';
import { readDaemonRecord } from '../src/protocol/link/daemon-file.ts';
import type { Surface } from '../src/protocol/link/hello.ts';
import { isOn } from '../src/protocol/link/is-on.ts';
import { findStateRootFault, type StatePaths } from '../src/protocol/link/state-paths.ts';
import { answerFromSnapshot, loadSnapshot } from './answers.ts';
import { isPlainInitialize } from './plain-initialize.ts';

/** Where a first line comes from. */
export interface FirstLineContext {
  surface: Surface;
  paths: StatePaths;
  env: NodeJS.ProcessEnv;
  /** Our own. */
  version: string;
}

/**
 * The answer to a client's first line, where it need not wait for the daemon:
 * an `initialize` that no daemon refuses, and one on record that is of our own
 * version and answers as was recorded. One whose turn comes late, on a busy
 * machine, delays no start of an agent.
 *
 * @returns undefined when only a daemon can answer
 */
export function answerFirstLine(text: Buffer, context: FirstLineContext): string | undefined {
  const { surface, paths, env, version } = context;
  const line = classifyLine(text, surface);
  if (line.method !== 'initialize' || !line.wantsReply || !isPlainInitialize(text))
    return undefined;
  if (isOn(env['LECTERN_NO_DAEMON']) || findStateRootFault(paths.root) !== undefined) {
    return undefined;
  }
  const record = readDaemonRecord(paths.daemonFile);
  if (record?.version !== version || !record.answersAsRecorded) return undefined;
  return answerFromSnapshot(loadSnapshot(surface), line, text);
}
