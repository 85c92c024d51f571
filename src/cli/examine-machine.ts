import { execFile } from 'node:child_process';
import { access, constants, lstat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

/** One thing that lectern needs of the machine, and how it stands. */
export interface MachineCheck {
  check: string;
  /** A note is worth knowing and takes nothing away from anybody today. */
  state: 'ok' | 'note' | 'warning' | 'error';
  detail: string;
  /** What a person can do about it. */
  fix?: string;
}

/** A git that does not answer in this time hangs on something. */
const GIT_MS = 5000;

/**
 * What can be said without the daemon: the parts of the machine that lectern
 * uses, each with what works less well without it (design walk G).
 */
export function examineMachine(stateRoot: string): Promise<MachineCheck[]> {
  return Promise.all([
    checkNode(process.versions.node),
    checkStateRoot(stateRoot),
    checkGit(),
    checkNative(
      'onnxruntime-node',
      'warning',
      'the embedding model cannot run, search goes by words',
    ),
    checkNative(
      'hnswlib-node',
      'note',
      'vectors are scanned one by one, slower beyond some 20,000',
    ),
  ]);
}

/** @param version such as `20.19.0`; package.json asks for 20.19 or newer */
export function checkNode(version: string): MachineCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > 20 || (major === 20 && minor >= 19);
  return {
    check: 'node',
    state: isEnough ? 'ok' : 'error',
    detail: version,
    ...(isEnough ? {} : { fix: 'install Node 20.19 or newer' }),
  };
}

/** The state root must be a private, writable directory of ours; absent is fine. */
export async function checkStateRoot(path: string): Promise<MachineCheck> {
  const found = await lstat(path).catch(() => undefined);
  const check = 'state root';
  if (found === undefined) return { check, state: 'ok', detail: `${path}, not made yet` };
  if (!found.isDirectory()) {
    return { check, state: 'error', detail: `${path} is no directory`, fix: `move ${path} away` };
  }
  if ((found.mode & 0o077) !== 0) {
    return {
      check,
      state: 'warning',
      detail: `${path} is open to other users (mode ${(found.mode & 0o777).toString(8)})`,
      fix: `chmod 700 ${path}`,
    };
  }
  const isWritable = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  return isWritable
    ? { check, state: 'ok', detail: path }
    : {
        check,
        state: 'warning',
        detail: `${path} is read-only: searching works, changes do not`,
        fix: `make ${path} writable`,
      };
}

async function checkGit(): Promise<MachineCheck> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: GIT_MS });
    return { check: 'git', state: 'ok', detail: stdout.trim().replace(/^git version /, '') };
  } catch {
    return {
      check: 'git',
      state: 'warning',
      detail: 'not found: directories can be enrolled, repositories cannot',
      fix: 'install git',
    };
  }
}

/** An optional native package: loading it is the only proof that it works here. */
export async function checkNative(
  name: string,
  state: 'note' | 'warning',
  without: string,
): Promise<MachineCheck> {
  try {
    createRequire(import.meta.url)(name);
    return { check: name, state: 'ok', detail: 'loads' };
  } catch (error) {
    const why = (error as Error).message.split('\n', 1)[0]!;
    return {
      check: name,
      state,
      detail: `${without} (${why})`,
      fix: `npm rebuild ${name}, where lectern is installed`,
    };
  }
}
