/** What the daemon's main thread tells the tui thread. */
export type ToTuiThread =
  | { kind: 'open'; session: number; cwd: string }
  | { kind: 'line'; session: number; line: number; bytes: Uint8Array }
  /** The bytes are the thread's: their buffer is moved there. */
  | { kind: 'read'; read: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'read-failed'; read: number; code: string; message: string }
  | { kind: 'close'; session: number };

/** What the tui thread says. Anything it says proves that it is not stuck. */
export type FromTuiThread =
  | { kind: 'alive' }
  | { kind: 'answer'; session: number; line: number; text: string | null }
  | { kind: 'read'; session: number; read: number; path: string };

/** How often the thread says that it lives. */
export const ALIVE_MS = 500;
