import type { ChildProcess } from 'node:child_process';
import { finished } from 'node:stream/promises';
import type { ModelCache } from '../../src/search/embed/model-memory.ts';
import { BUNDLED_MODEL, bundledModelDir } from '../../src/search/embed/profile.ts';
import type { PartCode } from '../part-code.ts';
import type { FromEmbedder, ToEmbedder } from './messages.ts';
import { readChildCode, startChild } from './start-child.ts';

/** A child that loads the bundled model while its daemon still starts. */
export interface BootedChild {
  process: ChildProcess;
  /** What it runs, for those that come after it. */
  code: PartCode;
  /** Ends the keeping of what it says, and gives what it said so far. */
  takeMessages(): FromEmbedder[];
}

/**
 * Start a child and have it load the bundled model. Resolves when it was given
 * its code: the end of that would else wait until our caller waits for something.
 */
export async function bootEmbedder(cache: ModelCache): Promise<BootedChild> {
  const code = readChildCode();
  const child = startChild(code);
  const said: FromEmbedder[] = [];
  const keep = (message: FromEmbedder): void => void said.push(message);
  child.on('message', keep);
  const load: ToEmbedder = {
    kind: 'load',
    dir: bundledModelDir(),
    profile: BUNDLED_MODEL,
    isVerified: false,
    cache,
    usesPrepared: true,
  };
  // A child that could not be spawned has no channel.
  if (child.connected) child.send(load, () => {});
  // Ended early where it could not be spawned; that is noticed by whoever uses it.
  if (child.stdin != null) await finished(child.stdin).catch(() => {});
  return {
    process: child,
    code,
    takeMessages() {
      child.off('message', keep);
      return said;
    },
  };
}
