import type { LibraryService } from '../../src/mcp/library.ts';
import { type LibraryHttp, openLibraryHttp } from '../../src/mcp/library-http.ts';

/** Workspaces and hosts that are kept for the next request; people have a handful. */
const MOST_SCOPES = 64;

/** What the address of a request says about who asks; like the flags of `lectern mcp`. */
export interface Asker {
  workspace: string | null;
  harness: string | null;
}

/** The surfaces in use, one for each workspace and host that an address names. */
export interface LibraryScopes {
  /** The surface for one exchange; it stays open at least until the client is `gone`. */
  of(asker: Asker, gone: AbortSignal): LibraryHttp;
  close(): Promise<void>;
}

interface OpenScope {
  surface: LibraryHttp;
  /** Exchanges that go on. */
  users: number;
}

/** @param options passed on to each surface */
export function openLibraryScopes(
  library: LibraryService,
  home: string | undefined,
  options: Parameters<typeof openLibraryHttp>[2],
): LibraryScopes {
  const open = new Map<string, OpenScope>();
  // The daemon's own environment is no client's; only where its user is at home.
  const env: Record<string, string> = home === undefined ? {} : { HOME: home };

  function openScope(asker: Asker): OpenScope {
    const session = {
      workspaceFlag: asker.workspace,
      harness: asker.harness,
      cwd: null,
      env,
    };
    return { surface: openLibraryHttp(library, session, options), users: 0 };
  }

  /** Closing one ends what goes on in it, so those in use stay, however many they are. */
  function closeOldest(): void {
    for (const [key, scope] of open) {
      if (open.size <= MOST_SCOPES) return;
      if (scope.users > 0) continue;
      open.delete(key);
      void scope.surface.close();
    }
  }

  return {
    of(asker, gone) {
      const key = JSON.stringify([asker.workspace, asker.harness]);
      const scope = open.get(key) ?? openScope(asker);
      // The last one asked for stands last.
      open.delete(key);
      open.set(key, scope);
      scope.users += 1;
      const leave = () => {
        scope.users -= 1;
        closeOldest();
      };
      if (gone.aborted) leave();
      else gone.addEventListener('abort', leave);
      return scope.surface;
    },
    async close() {
      const all = [...open.values()];
      open.clear();
      await Promise.all(all.map(({ surface }) => surface.close()));
    },
  };
}
