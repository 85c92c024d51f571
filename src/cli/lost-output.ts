import { LecternError } from '../core/errors.ts';

/** What the system's codes mean for somebody whose output is lost. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the terminal or disk does not take it',
  EFBIG: 'the file is as large as it may be',
};

/**
 * Watch the output for what cannot be written: oclif would throw it where
 * nobody can catch it. What standard error does not take is lost: there is nowhere
 * left to say so, and the exit code says what came of the command.
 *
 * @param onLost is told once, and ends the process. A reader that went away, as
 *               `head` does, is none of it
 */
export function watchOutput(onLost: (error: LecternError) => void): void {
  process.stderr.on('error', () => {});
  process.stdout.once('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EPIPE') return;
    const reason = REASONS[cause.code ?? ''] ?? cause.message;
    onLost(
      new LecternError('io', `the output cannot be written: ${reason}`, {
        next: 'send it elsewhere or make room, then try again',
        cause,
      }),
    );
  });
}
