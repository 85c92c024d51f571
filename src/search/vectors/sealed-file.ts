import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { nameKind } from '../../protocol/link/own-file.ts';

/**
 * Files that are read back only if every byte is as it was written: their parts
 * are known by length and SHA-256. Reading, writing and digesting happen in the
 * runtime's thread pool; what a caller's thread does is copy.
 *
 * SHA-256 and not a shorter sum, because processors compute it at 1 GB/s and
 * more, and a graph whose links were damaged unnoticed would be followed into
 * memory that is not its own.
 */
export interface Part {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** What was read is not what was written. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** A megabyte is copied in a tenth of a millisecond, and digested in one. */
export const PART_BYTES = 1 << 20;

/**
 * Write a new file of these parts and bring it to the disk.
 *
 * @param parts taken one by one, each after the one before it is written
 * @throws what taking a part throws, or the file system; the file is then unfinished
 */
export async function writeParts(path: string, parts: Iterable<Uint8Array>): Promise<Part[]> {
  const file = await open(path, 'wx', 0o600);
  try {
    const written: Part[] = [];
    for (const bytes of parts) {
      const [sha256] = await Promise.all([digest(bytes), file.writeFile(bytes)]);
      written.push({ bytes: bytes.byteLength, sha256 });
    }
    await file.sync();
    return written;
  } finally {
    await file.close();
  }
}

/**
 * The parts of a file, in order.
 *
 * @throws DamagedFile at the first that is not as it was written
 */
export async function* readParts(
  path: string,
  parts: readonly Part[],
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await openToRead(path);
  try {
    await checkLength(file, path, parts);
    let next = readPart(file, parts[0]);
    for (let at = 0; at < parts.length; at++) {
      const bytes = await next;
      // The disk reads ahead while this one is digested and used.
      next = readPart(file, parts[at + 1]);
      if ((await digest(bytes)) !== parts[at]!.sha256) {
        await next.catch(() => {});
        throw new DamagedFile(`${path} is damaged in part ${at + 1} of ${parts.length}`);
      }
      yield bytes;
    }
    await next;
  } finally {
    await file.close();
  }
}

/** Bring a file that another library wrote to the disk; its parts as they are now. */
export async function sealFile(path: string): Promise<Part[]> {
  const file = await openFile(path, constants.O_RDWR);
  try {
    await file.sync();
    await file.chmod(0o600);
    const parts: Part[] = [];
    let left = (await file.stat()).size;
    while (left > 0) {
      const bytes = await readPart(file, { bytes: Math.min(left, PART_BYTES) });
      if (bytes.byteLength === 0) throw new DamagedFile(`${path} became shorter`);
      parts.push({ bytes: bytes.byteLength, sha256: await digest(bytes) });
      left -= bytes.byteLength;
    }
    return parts;
  } finally {
    await file.close();
  }
}

/** @throws DamagedFile when the file is not as it was sealed */
export async function checkParts(path: string, parts: readonly Part[]): Promise<void> {
  for await (const _ of readParts(path, parts));
}

export async function digest(bytes: Uint8Array): Promise<string> {
  const sum = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Buffer.from(sum).toString('hex');
}

/**
 * Open what must be a file: a pipe that nobody serves would hold a thread of the
 * runtime's pool for ever.
 *
 * @throws DamagedFile where something else is; what the file system says
 */
export async function openFile(
  path: string,
  flags: number = constants.O_RDONLY,
): Promise<FileHandle> {
  const file = await open(path, flags | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new DamagedFile(`${path} is a ${nameKind(stat)}`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openToRead(path: string): Promise<FileHandle> {
  try {
    return await openFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new DamagedFile(`${path} is missing`);
    throw error;
  }
}

async function checkLength(file: FileHandle, path: string, parts: readonly Part[]): Promise<void> {
  const { size } = await file.stat();
  const expected = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  if (size !== expected) throw new DamagedFile(`${path} has ${size} bytes instead of ${expected}`);
}

/** The next bytes of a file; fewer where it ends. */
async function readPart(
  file: FileHandle,
  part: Pick<Part, 'bytes'> | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(part?.bytes ?? 0);
  let filled = 0;
  while (filled < bytes.byteLength) {
    const { bytesRead } = await file.read(bytes, filled);
    if (bytesRead === 0) return bytes.subarray(0, filled);
    filled += bytesRead;
  }
  return bytes;
}
