import { statfs } from 'node:fs/promises';

/**
 * File systems whose changes may come from another machine, which the kernel
 * then does not report: statfs magic numbers of Linux (statfs(2), linux/magic.h).
 */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x65735546, 'fuse'],
  [0x5346414f, 'afs'],
  [0x00c36400, 'ceph'],
  [0x73757245, 'coda'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
  [0x7c7c6673, 'prl_fs'],
]);

/** The name of a file system type whose changes are not reported, else undefined. */
export function nameRemoteType(type: number): string | undefined {
  // statfs gives a signed long on some machines.
  return REMOTE.get(type >>> 0);
}

/** The same for the file system that holds `path`; undefined where that cannot be told. */
export async function findRemoteFileSystem(path: string): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const found = await statfs(path).catch(() => undefined);
  return found === undefined ? undefined : nameRemoteType(found.type);
}
