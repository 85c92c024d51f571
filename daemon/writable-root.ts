import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * An agent host may start the daemon inside its own sandbox. What that daemon
 * cannot see it would take for deleted, for every other agent too. One that is
 * confined therefore ends, and its starter gets a read-only session instead.
 */
export class ConfinedError extends Error {
  override readonly name = 'ConfinedError';
}

/**
 * @throws ConfinedError when writing below the state root is forbidden; a full
 *   disk is no sandbox, and other faults show themselves soon enough
 */
export function checkStateWritable(root: string): void {
  // One name for all: a daemon that is ended between the two leaves nothing that
  // the next one would not remove, and either is forbidden where writing is.
  const probe = join(root, '.writable');
  for (const write of [mkdirSync, rmdirSync]) {
    try {
      write(probe);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
        throw new ConfinedError(`the state root ${root} cannot be written (${code})`);
      }
    }
  }
}
