/**
 * Exit code of a daemon that found itself in a sandbox (EX_NOPERM of sysexits):
 * starting another from the same place would end the same way.
 */
export const CONFINED_EXIT = 77;

/**
 * Exit code of a daemon whose state root is owned from where it cannot see
 * (EX_UNAVAILABLE of sysexits): another one would find the same.
 */
export const OUT_OF_SIGHT_EXIT = 69;
