/**
 * The files a tool may touch. Injected, so that nothing below it does I/O on its own and the MCP
 * surface can read through its proxy, with the host's sandbox (design 4).
 */
export interface Files {
  /** Absolute directory that relative paths start from. */
  readonly cwd: string;
  /** Content of a file. Rejects with an error that carries a system error `code`. */
  readonly readFile: (path: string) => Promise<Uint8Array>;
}

/** Files that a tool may also write: `fmt --write`, `test --update`. */
export interface WritableFiles extends Files {
  /** Write a file, creating its directories; an existing file keeps its mode, a new one is 0644. */
  readonly writeFile: (path: string, content: string) => Promise<void>;
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EISDIR', 'is a directory'],
  ['ENOTDIR', 'not a directory'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['ENAMETOOLONG', 'file name too long'],
  ['EMFILE', 'too many open files'],
  ['EIO', 'input/output error'],
  ['EFBIG', 'file too large'],
  ['EINVAL', 'invalid argument'],
  ['ENXIO', 'no such device or address'],
  ['EROFS', 'read-only file system'],
  ['ENOSPC', 'no space left on device'],
  ['ERR_INVALID_ARG_VALUE', 'invalid argument'],
]);

/** The bare cause of a failed read or write, as U-102 shows it. */
export function fileCause(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  const cause = typeof code === 'string' ? CAUSES.get(code) : undefined;
  return cause ?? (error instanceof Error ? error.message : String(error));
}

/** A file error as the tools print it: `open PATH: cause`, or `read` where opening went well (U-009). */
export function fileErrorText(error: unknown, path: string): string {
  const code = (error as { code?: unknown } | null)?.code;
  const operation = code === 'EISDIR' || code === 'EFBIG' ? 'read' : 'open';
  return `${operation} ${path}: ${fileCause(error)}`;
}
