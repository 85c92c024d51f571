import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { LibrarySession } from '../library/parts.ts';
import { createLibraryServer, type LibraryService, watchPrompts } from './library.ts';

/** The library surface for web-standard requests that ask on behalf of one session. */
export interface LibraryHttp {
  /** Answer one request. Never throws: what fails is in the response. */
  fetch(request: Request): Promise<Response>;
  /** Called when the list of prompts is no longer what it was. @returns stops it */
  onPrompts(listener: () => void): () => void;
  /** Ends open subscriptions and what is still in work. */
  close(): Promise<void>;
}

export interface LibraryHttpOptions {
  /** Largest body of a request, bytes. */
  maxBodyBytes: number;
  /** Streams that wait for news, in all. */
  maxSubscriptions: number;
  /** Why tools that write are not offered; absent where they are. */
  readOnlyReason?: string;
  onError(error: Error): void;
}

/**
 * The library surface over Streamable HTTP, in the 2026-07-28 revision and the
 * ones before it. Each request has a server object of its own and no session id
 * is given out: a daemon that was reborn in between answers the next request as
 * if nothing had been.
 */
export function openLibraryHttp(
  library: LibraryService,
  session: LibrarySession,
  options: LibraryHttpOptions,
): LibraryHttp {
  const { readOnlyReason } = options;
  const offer = {
    ready: Promise.resolve(),
    ...(readOnlyReason === undefined ? {} : { readOnlyReason }),
  };
  const handler: McpHttpHandler = createMcpHandler(
    () => createLibraryServer(library, session, offer),
    {
      maxRequestBodySize: options.maxBodyBytes,
      maxSubscriptions: options.maxSubscriptions,
      onerror: options.onError,
    },
  );
  void library.touch(session);
  const stopWatching = watchPrompts(library, session, () => handler.notify.promptsChanged());
  return {
    fetch: (request) => handler.fetch(request),
    onPrompts: (listener) =>
      handler.bus.subscribe((event) => {
        if (event.kind === 'prompts_list_changed') listener();
      }),
    async close() {
      stopWatching();
      await handler.close();
    },
  };
}
