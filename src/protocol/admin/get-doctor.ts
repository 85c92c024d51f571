import { z } from 'zod';
import { overallVerdict } from './get-status.ts';
import { workspaceParam } from './shapes.ts';

/** The examination of library contract 11.2: what is wrong and what to do about each. Reads only. */
export const getDoctor = {
  method: 'doctor.get',
  params: z.strictObject({ workspace: workspaceParam }),
  result: z.looseObject({
    overall: overallVerdict,
    catalogs: z.array(
      z.object({ name: z.string(), url: z.string(), cache_path: z.string(), state: z.string() }),
    ),
    suggested_fixes: z.array(
      z.object({
        subsystem: z.string(),
        diagnosis: z.string(),
        command: z.string(),
        auto_fixable: z.boolean(),
      }),
    ),
  }),
} as const;
