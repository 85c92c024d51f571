/** The first message of each side of a connection, as plain shapes: built-ins only. */

/**
 * Number of the wire protocol. The daemon serves its own and every older one;
 * a client offers the lower of its own and the daemon's.
 */
export const PROTOCOL = 1;

export type Role = 'mcp' | 'admin';
export type Surface = 'library' | 'registry' | 'tui';

export const SURFACES: readonly Surface[] = ['library', 'registry', 'tui'];

export interface Hello {
  protocol: number;
  version: string;
  token: string;
  role: Role;
  surface: Surface;
  /** `--workspace`, when given. */
  workspace: string | null;
  /** `--harness`, when given. */
  harness: string | null;
  /** Further flags of `lectern mcp` without their dashes: registry, token-file, scope, agent, log-level. */
  flags: Record<string, string>;
  cwd: string;
  /** Only the variables that `pickSessionEnvironment` lets through. */
  env: Record<string, string>;
  pid: number;
}

export interface Welcome {
  protocol: number;
  version: string;
  features: string[];
  limits: { messageBytes: number; sessions: number; queuedRequests: number };
  /** Number of the index state at the time of the welcome; null while there is no index. */
  clock: number | null;
  session: number;
  pid: number;
}

/** Payload of an `error` frame: why the connection is closed. */
export interface Refusal {
  code: RefusalCode;
  message: string;
  /** Where the surface's contract says how its requests fail: the JSON-RPC error for each of them. */
  rpc?: { code: number; message: string; data?: Record<string, unknown> };
}

export type RefusalCode =
  | 'bad_hello'
  | 'wrong_token'
  | 'unsupported_protocol'
  | 'unsupported_surface'
  | 'wrong_workspace'
  | 'hello_timeout'
  | 'session_limit'
  | 'output_limit'
  | 'message_too_large'
  | 'unknown_frame_kind'
  | 'unexpected_frame'
  | 'retiring';

/** Read a JSON payload that must be an object; undefined when it is not. */
export function parseObject<T extends object>(payload: Uint8Array): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload).toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Partial<T>)
      : undefined;
  } catch {
    return undefined;
  }
}
