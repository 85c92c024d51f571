import type { ChildProcess } from 'node:child_process';
import type { ModelCache } from '../../src/search/embed/model-memory.ts';
import { BUNDLED_MODEL, bundledModelDir } from '../../src/search/embed/profile.ts';
import type { FromEmbedder, ToEmbedder } from './messages.ts';
import { readChildCode, startChild } from './start-child.ts';

/** A child that loads the bundled model while its daemon still starts. */
export interface BootedChild {
  process: ChildProcess;
  /** Ends the keeping of what it says, and gives what it said so far. */
  takeMessages(): FromEmbedder[];
}

/** Start a child and have it load the bundled model. */
export function bootChild(cache: ModelCache): BootedChild {
  const child = startChild(readChildCode());
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
  return {
    process: child,
    takeMessages() {
      child.off('message', keep);
      return said;
    },
  };
}
