import { z } from 'zod';

/** Read config.toml again, as SIGHUP does. */
export const reloadDaemon = {
  method: 'daemon.reload',
  params: z.object({}),
  result: z.object({ reloaded: z.boolean() }),
} as const;
