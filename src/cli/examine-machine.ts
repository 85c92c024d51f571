import { execFile } from 'node:child_process';
import { access, constants, lstat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { silenceRuntime } from '../search/embed/runtime.ts';

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
    checkNative('libsql', {
      state: 'error',
      without: 'there is no database, and the daemon cannot start',
      // Its native part is a package for each platform, which only an optional dependency can be.
      install: 'npm install --include=optional lectern, where lectern is installed',
    }),
    checkNative('onnxruntime-node', {
      state: 'warning',
      without: 'the embedding model cannot run, search goes by words',
      // Its install script fetches libraries for graphics cards; npm drops the package where that fails.
      install: `npm install --no-save --ignore-scripts onnxruntime-node@${runtimeFor(process)}, where lectern is installed`,
    }),
    checkNative('hnswlib-node', {
      state: 'note',
      without: 'vectors are scanned one by one, which only matters beyond some tens of thousands',
      // It has no prebuilt form: npm compiles it, and leaves it out where that fails.
      install:
        'npm install --no-save hnswlib-node, where lectern is installed; needs a C++ compiler, make, Python and the headers of Node',
    }),
  ]);
}

/** The newest version line of onnxruntime-node with a library for this machine: Intel Macs are left behind. */
export function runtimeFor({ platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'>): string {
  return platform === 'darwin' && arch === 'x64' ? '1.23' : '1.30';
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

interface NativeAdvice {
  state: 'note' | 'warning' | 'error';
  /** What is lost without it. */
  without: string;
  /** What to do where it was never installed. */
  install: string;
}

/** The first line of a message, without words that only lead to the lines after it. */
function firstSentence(message: string): string {
  return message.split('\n', 1)[0]!.replace(/\.\s+[^.]*:\s*$/, '');
}

/** A native package: loading it is the only proof that it works here. */
export async function checkNative(
  name: string,
  { state, without, install }: NativeAdvice,
): Promise<MachineCheck> {
  const require = createRequire(import.meta.url);
  silenceRuntime();
  try {
    require(name);
    return { check: name, state: 'ok', detail: 'loads' };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isIncomplete = code === 'MODULE_NOT_FOUND';
    const isAbsent = isIncomplete && message.includes(`'${name}'`);
    return {
      check: name,
      state,
      detail: `${without} (${isAbsent ? 'not installed' : firstSentence(message)})`,
      // What is complete and does not load was built for another Node, or not at all.
      fix: isIncomplete ? install : `npm rebuild ${name}, where lectern is installed`,
    };
  }
}
