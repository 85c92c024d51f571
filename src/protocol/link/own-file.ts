import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';

/**
 * Lectern's own files in the state root: how each is opened, so that nothing
 * that stands in the place of one can hold a process or be damaged by it.
 */

/** The largest record that lectern writes is some kilobytes; a token is 43 bytes. */
const MOST_BYTES = 1024 * 1024;

/** Opening a pipe that nobody serves waits for ever without it. */
const NONBLOCK = constants.O_NONBLOCK ?? 0;

/** For logs: a pipe or a device may be what a person wants; one that takes nothing only loses records. */
export const APPEND_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NONBLOCK;

/** Something else stands where one of lectern's own files or directories belongs. */
export class MisplacedError extends Error {
  override readonly name = 'MisplacedError';
  /** The one thing that mends it; what stands there may be somebody's. */
  readonly next: string;

  /** @param wanted what belongs there */
  constructor(path: string, found: string, wanted: 'file' | 'directory' = 'file') {
    super(`${path} is a ${found}, where a ${wanted} belongs`);
    this.next = `mv ${path} ${path}.moved, then: lectern daemon restart`;
  }
}

/** What a path is, in a word. */
export function nameKind(
  stat: Pick<
    Stats,
    | 'isFile'
    | 'isDirectory'
    | 'isFIFO'
    | 'isSocket'
    | 'isCharacterDevice'
    | 'isBlockDevice'
    | 'isSymbolicLink'
  >,
): string {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'directory';
  if (stat.isFIFO()) return 'pipe';
  if (stat.isSocket()) return 'socket';
  return stat.isSymbolicLink() ? 'link' : 'device';
}

/**
 * See that a path is free or holds a file, for what is opened by others, such
 * as databases. A link counts as what it leads to.
 *
 * @throws MisplacedError
 */
export function refuseMisplaced(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) throw new MisplacedError(path, nameKind(stat));
}

/**
 * The text of one of lectern's own files. A link is followed: people keep
 * config.toml elsewhere.
 *
 * @throws MisplacedError where no file is; EFBIG over `mostBytes`; the file system's error
 */
export function readOwnFile(path: string, mostBytes: number = MOST_BYTES): string {
  const fd = openOwnFile(path, constants.O_RDONLY);
  try {
    const { size } = fstatSync(fd);
    if (size > mostBytes) {
      const error = new Error(`EFBIG: ${path} has ${size} bytes; at most ${mostBytes} are read`);
      throw Object.assign(error, { code: 'EFBIG' });
    }
    return readRange(fd, 0, size);
  } finally {
    closeSync(fd);
  }
}

/**
 * The end of one of lectern's own files that grows: its last `mostBytes` at most.
 *
 * @throws MisplacedError, the file system's error
 */
export function readEndOfOwnFile(path: string, mostBytes: number): string {
  const fd = openOwnFile(path, constants.O_RDONLY);
  try {
    const { size } = fstatSync(fd);
    return readRange(fd, Math.max(0, size - mostBytes), size);
  } finally {
    closeSync(fd);
  }
}

/** What is there of it: a file may have been cut meanwhile. */
function readRange(fd: number, from: number, to: number): string {
  const bytes = Buffer.allocUnsafe(to - from);
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(fd, bytes, length, bytes.length - length, from + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.toString('utf8', 0, length);
}

/**
 * Make one of lectern's own directories, 0700, and those above it.
 *
 * @throws MisplacedError where something else is; the file system's error
 */
export function makeOwnDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isDirectory()) throw error;
    throw new MisplacedError(path, nameKind(stat), 'directory');
  }
}

/**
 * Open one of lectern's own files.
 *
 * @param flags of open(2)
 * @returns a descriptor that the caller closes
 * @throws MisplacedError where no file is; the file system's error
 */
export function openOwnFile(path: string, flags: number): number {
  let fd: number;
  try {
    fd = openSync(path, flags | NONBLOCK, 0o600);
  } catch (error) {
    // A socket cannot be opened, a directory not for writing, a pipe not while nobody reads it.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENXIO' || code === 'EISDIR') refuseMisplaced(path);
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new MisplacedError(path, nameKind(stat));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Open one of lectern's own files for writing, emptied. A link or a pipe in its
 * place is removed: where a link led is not ours to empty.
 *
 * @returns a descriptor that the caller closes
 * @throws MisplacedError, the file system's error
 */
export function openOwnFileAnew(path: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const open = () => {
    const fd = openOwnFile(path, flags);
    ftruncateSync(fd);
    return fd;
  };
  try {
    return open();
  } catch (error) {
    const isLink = (error as NodeJS.ErrnoException).code === 'ELOOP';
    if (!isLink && !(error instanceof MisplacedError)) throw error;
    // Of a directory it throws.
    rmSync(path);
    return open();
  }
}

/**
 * Replace one of lectern's own files in the state root in one step, 0600. A link
 * or a pipe in its place is replaced and never followed: where a link led is not
 * ours to write. Not synced to the disk: for what a loss of power makes worthless.
 *
 * @throws MisplacedError where a directory is; the file system's error; nothing is left then
 */
export function replaceOwnFile(path: string, text: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    rmSync(aside, { force: true });
    writeFileSync(aside, text, { mode: 0o600, flag: 'wx' });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') refuseMisplaced(path);
    throw error;
  }
}
