import type { ServedAdmin } from './admin.ts';
import type { DaemonView } from './daemon-view.ts';

/**
 * Everything that administrators can ask, loaded when the first of them
 * connects; where that fails, the next one tries again.
 */
export function loadAdminOnce(daemon: DaemonView): () => Promise<ServedAdmin> {
  let served: Promise<ServedAdmin> | undefined;
  return () => {
    served ??= loadAdmin(daemon);
    served.catch(() => (served = undefined));
    return served;
  };
}

async function loadAdmin(daemon: DaemonView): Promise<ServedAdmin> {
  const { ownAdminHandlers, ownAdminMethods } = await import('./own-admin.ts');
  const { handlers, methods } = await daemon.options.composition.admin();
  return {
    handlers: { ...handlers, ...ownAdminHandlers(daemon) },
    methods: new Map([...methods, ...ownAdminMethods].map((method) => [method.method, method])),
  };
}
