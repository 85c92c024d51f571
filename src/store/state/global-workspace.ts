/** The workspace that always exists and cannot be created, renamed or removed. */
export const GLOBAL_WORKSPACE = 'global';
