/**
 * Exit code of a daemon that found itself in a sandbox (EX_NOPERM of sysexits):
 * starting another from the same place would end the same way.
 */
export const CONFINED_EXIT = 77;
