import { libraryAdminMethods } from '../src/library/admin-handlers.ts';
import type { AdminMethod } from '../src/protocol/admin/method.ts';
import { releaseQuery } from '../src/protocol/admin/release-query.ts';
import { verifyModels } from '../src/protocol/admin/verify-models.ts';

/** Every admin method beside the shell's own: served by what is composed, or refused with why it is not. */
export const COMPOSED_METHODS: readonly AdminMethod[] = [
  ...libraryAdminMethods,
  releaseQuery,
  verifyModels,
];
