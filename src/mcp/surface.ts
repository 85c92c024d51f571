/** What the daemon's session layer and the MCP surfaces know of each other. */
export type SurfaceName = 'library' | 'registry' | 'tui';

/** The host process behind one proxy, as its hello described it (design 4). */
export interface SessionContext {
  id: number;
  surface: SurfaceName;
  /** `--workspace`, when given. */
  workspaceFlag: string | null;
  /** `--harness`, when given. */
  harness: string | null;
  /** Further flags of `lectern mcp`, names without dashes: registry, token, token-file, scope, agent, log-level. */
  flags?: Readonly<Record<string, string>>;
  /** Working directory of the proxy. */
  cwd: string;
  /** Allow-listed environment of the proxy. */
  env: Readonly<Record<string, string>>;
  pid: number;
  /** Read a file with the proxy's own rights (control frame `read`); the tui surface's only I/O. */
  readFile(path: string): Promise<Uint8Array>;
}

/** One MCP server object, living as long as its session. */
export interface SurfacePeer {
  /** One message from the client, the raw bytes of its line. Never throws: bad input is answered. */
  receive(message: Uint8Array): void;
  /** Requests received and not answered yet, for draining. */
  readonly inFlight: number;
  close(): Promise<void>;
}

/**
 * Open a surface for one session.
 *
 * @param send delivers one message to the client; `inReplyTo` is the JSON-RPC id
 *   of the request that a response answers, undefined for requests and
 *   notifications of the server's own.
 */
export type OpenSurface = (
  context: SessionContext,
  send: (message: string, inReplyTo?: string | number | null) => void,
) => SurfacePeer;
