import { libraryAdminHandlers } from '../src/library/admin-handlers.ts';
import type { Library } from '../src/library/library.ts';
import type { ParamsOf } from '../src/protocol/admin/method.ts';
import { releaseQuery } from '../src/protocol/admin/release-query.ts';
import { verifyModels as verifyModelsMethod } from '../src/protocol/admin/verify-models.ts';
import type { Embedder } from '../src/search/embed/embedder.ts';
import type { ModelCache } from '../src/search/embed/model-memory.ts';
import { COMPOSED_METHODS } from './composed-methods.ts';
import type { ComposedAdmin } from './composition.ts';
import { verifyModels } from './embedder/verify-models.ts';
import type { QueryGuard } from './query-guard.ts';

export interface AdminParts {
  library: Library;
  embedder: Embedder;
  modelCache: ModelCache;
  /** Absent where nothing is written. */
  queries: QueryGuard | undefined;
}

/** The admin methods of everything that is composed. */
export function composeAdmin({
  library,
  embedder,
  modelCache,
  queries,
}: AdminParts): ComposedAdmin {
  return {
    handlers: {
      ...libraryAdminHandlers(library),
      [releaseQuery.method]: async ({ text }: ParamsOf<typeof releaseQuery>) => ({
        released: queries?.release(text) ?? text,
      }),
      [verifyModelsMethod.method]: () => verifyModels(embedder, modelCache),
    },
    methods: COMPOSED_METHODS,
  };
}
