import type { GitEnvironment } from '../catalog/git-environment.ts';

/** What a fetch came to. */
export interface FetchedClone {
  /** Null when the history is too shallow to count. */
  advancedCommits: number | null;
  commit: string | null;
}

/**
 * Git as the library needs it; `systemGit` of src/catalog/git.ts is one. Every path that is written lies in a clone that
 * lectern made.
 */
export interface GitPort {
  /**
   * Clone into `directory`, which must not exist; complete or absent afterwards.
   *
   * @param url with credentials, if it has any: they are not stored
   * @throws LecternError git_failed (6), without credentials in the message
   */
  clone(
    url: string,
    ref: string | null,
    directory: string,
    env: GitEnvironment,
  ): Promise<{ branch: string | null; commit: string | null }>;
  /**
   * Fetch and reset a clone to `ref`: the branch of that name, else the tag.
   *
   * @throws LecternError git_failed (6)
   */
  update(directory: string, ref: string, env: GitEnvironment): Promise<FetchedClone>;
  /** The commit and branch that a work tree has checked out; nulls where there is none. */
  head(directory: string): Promise<{ branch: string | null; commit: string | null }>;
  /** Time of the commit that a work tree has checked out, Unix ms; null where there is none. */
  commitTime(directory: string): Promise<number | null>;
}
