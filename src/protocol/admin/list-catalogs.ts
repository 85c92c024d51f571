import { z } from 'zod';
import { catalogRow, workspaceParam } from './shapes.ts';

/** The workspace's catalogs, sorted by name (library contract 3.3). */
export const listCatalogs = {
  method: 'catalog.list',
  params: z.strictObject({ workspace: workspaceParam }),
  result: z.array(catalogRow),
} as const;
