import type { HandshakeSnapshot } from '../protocol/link/snapshot.ts';
import { makeLibraryHandshake } from './library/handshake.ts';
import { recordHandshake } from './record-handshake.ts';
import type { SessionContext, SurfaceName } from './surface.ts';
import { createTuiServer } from './tui.ts';
import { openTuiSurface, type TuiConnection } from './tui-surface.ts';
import { TUI_TOOLS } from './tui-tools.ts';

/** What a surface answers to a handshake, run once while lectern is built; null for one that it has not. */
export async function makeHandshakeSnapshot(
  surface: SurfaceName,
): Promise<HandshakeSnapshot | null> {
  switch (surface) {
    case 'library':
      return makeLibraryHandshake();
    case 'tui':
      // Every tool of the surface is read-only (U-218).
      return recordHandshake(
        'tui',
        openTuiSurface(connectHere),
        TUI_TOOLS.map((tool) => tool.name),
      );
    default:
      return null;
  }
}

/** The tui server in this thread: nothing else waits for it here. */
function connectHere({ cwd, readFile }: SessionContext): TuiConnection {
  return { ...createTuiServer({ cwd, readFile }), close: () => {} };
}
