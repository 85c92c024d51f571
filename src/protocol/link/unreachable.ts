import type { DialVerdict } from './dial.ts';
import type { Refusal } from './hello.ts';

/** `UnreachableError.code` where the fault is the user's choice of a state root (library contract 1.1). */
export const STATE_ROOT_UNUSABLE = 'state_root_unusable';

/** No daemon could be reached, with the reason for people. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly verdict: DialVerdict | 'absent' | 'stillborn' | 'given-up';

  /** Of the daemon's `error` frame, where it refused; else STATE_ROOT_UNUSABLE or nothing. */
  readonly code: string | undefined;
  /** The `error` frame itself, where there was one. */
  readonly refusal: Refusal | undefined;

  constructor(
    verdict: UnreachableError['verdict'],
    message: string,
    reason?: string | Refusal | undefined,
  ) {
    super(message);
    this.verdict = verdict;
    this.refusal = typeof reason === 'object' ? reason : undefined;
    this.code = typeof reason === 'object' ? reason.code : reason;
  }
}
