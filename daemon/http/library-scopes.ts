import type { LibraryService } from '../../src/mcp/library.ts';
import { type LibraryHttp, openLibraryHttp } from '../../src/mcp/library-http.ts';

/** Workspaces and hosts asked for at one time; people have a handful. */
const MOST_SCOPES = 64;

/** What the address of a request says about who asks; like the flags of `lectern mcp`. */
export interface Asker {
  workspace: string | null;
  harness: string | null;
}

/** The surfaces in use, one for each workspace and host that an address names. */
export interface LibraryScopes {
  of(asker: Asker): LibraryHttp;
  close(): Promise<void>;
}

/** @param options passed on to each surface */
export function openLibraryScopes(
  library: LibraryService,
  home: string | undefined,
  options: Parameters<typeof openLibraryHttp>[2],
): LibraryScopes {
  const open = new Map<string, LibraryHttp>();
  // The daemon's own environment is no client's; only where its user is at home.
  const env: Record<string, string> = home === undefined ? {} : { HOME: home };
  return {
    of(asker) {
      const key = JSON.stringify([asker.workspace, asker.harness]);
      let surface = open.get(key);
      if (surface === undefined) {
        const session = {
          workspaceFlag: asker.workspace,
          harness: asker.harness,
          cwd: null,
          env,
        };
        surface = openLibraryHttp(library, session, options);
        if (open.size >= MOST_SCOPES) {
          const [oldest, left] = open.entries().next().value!;
          open.delete(oldest);
          void left.close();
        }
      } else {
        open.delete(key);
      }
      // The last one asked for stands last.
      open.set(key, surface);
      return surface;
    },
    async close() {
      const all = [...open.values()];
      open.clear();
      await Promise.all(all.map((surface) => surface.close()));
    },
  };
}
