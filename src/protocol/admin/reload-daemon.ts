import { z } from 'zod';

/** Read config.toml again, as SIGHUP does. Malformed: manifest_invalid (5), and all stays as it was. */
export const reloadDaemon = {
  method: 'daemon.reload',
  params: z.object({}),
  result: z.object({ reloaded: z.boolean() }),
} as const;
