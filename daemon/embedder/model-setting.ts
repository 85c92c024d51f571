import type { Scope } from '../../src/core/scope.ts';
import type { ModelCache } from '../../src/search/embed/model-memory.ts';
import type { ModelProfile } from '../../src/search/embed/profile.ts';
import type { PartCode } from '../part-code.ts';
import type { EmbedderLog } from './log.ts';

/** One model, and what the children that work with it are started from. */
export interface ModelSetting {
  scope: Scope;
  log: EmbedderLog;
  code: PartCode;
  dir: string;
  profile: ModelProfile;
  /** Where what was found out about the model is kept over lives; null where nothing can be. */
  cache: ModelCache | null;
}
