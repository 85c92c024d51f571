export {
  type Frontmatter,
  parseFrontmatter,
  type SplitText,
  splitFrontmatter,
} from './frontmatter.ts';
export {
  cloneCatalog,
  commitTime,
  fetchCatalog,
  headCommit,
  isCommitRef,
  readHead,
  systemGit,
} from './git.ts';
export { MAX_ENTRY_BYTES, READ_LIMITS, type ReadLimits } from './limits.ts';
export { readCatalog } from './read-catalog.ts';
export type { ReadOptions } from './reading.ts';
export { rereadEntry } from './reread-entry.ts';
export {
  type CatalogSource,
  catalogKey,
  nameFromUrl,
  parseSource,
  scrubText,
  scrubUrl,
} from './source.ts';
export { isSafeSegment } from './tome-manifest.ts';
export type * from './types.ts';
