import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { replaceFile } from '../core/atomic-file.ts';
import { LecternError } from '../core/errors.ts';
import type { ServiceRecipe } from './plan.ts';

/** A service manager that does not answer in this time will not answer at all. */
const COMMAND_MS = 20_000;

/** Written beside the state so that a client in a sandbox starts the service and not a child of its own. */
const SERVICE_FILE = 'service.json';

/**
 * Write the service file and hand it to the service manager. When a step of
 * the manager fails, the file is taken away again: nothing half-installed.
 *
 * @throws LecternError io with the failing command and what it said
 */
export async function installService(recipe: ServiceRecipe, stateRoot: string): Promise<void> {
  await mkdir(dirname(recipe.file), { recursive: true, mode: 0o700 });
  // The service manager opens the daemon's output before the daemon could make its directory.
  await mkdir(dirname(recipe.output), { recursive: true, mode: 0o700 });
  const before = await readFile(recipe.file).catch(() => undefined);
  const content =
    recipe.encoding === 'utf16le'
      ? Buffer.from(`\ufeff${recipe.content.replaceAll('\n', '\r\n')}`, 'utf16le')
      : recipe.content;
  await replaceFile(recipe.file, content, 0o600);
  try {
    for (const command of recipe.install) await run(command);
  } catch (error) {
    for (const command of recipe.uninstall) await run(command).catch(() => {});
    if (before === undefined) await rm(recipe.file, { force: true });
    else await replaceFile(recipe.file, before, 0o600);
    throw error;
  }
  await replaceFile(
    join(stateRoot, SERVICE_FILE),
    `${JSON.stringify({ platform: recipe.platform, file: recipe.file, start: recipe.start })}\n`,
  );
}

/** Take the service away; true when there was one. */
export async function uninstallService(recipe: ServiceRecipe, stateRoot: string): Promise<boolean> {
  const existed = await readFile(recipe.file).then(
    () => true,
    () => false,
  );
  await rm(join(stateRoot, SERVICE_FILE), { force: true });
  if (!existed) return false;
  for (const command of recipe.uninstall) await run(command).catch(() => {});
  await rm(recipe.file, { force: true });
  if (recipe.platform === 'systemd') {
    await run(['systemctl', '--user', 'daemon-reload']).catch(() => {});
  }
  return true;
}

export interface ServiceState {
  platform: ServiceRecipe['platform'];
  file: string;
  installed: boolean;
  /** The file differs from what this version would write: `daemon install` renews it. */
  outdated: boolean;
  active: boolean;
}

/** What the service manager says; never throws, since `status` must always answer. */
export async function inspectService(recipe: ServiceRecipe): Promise<ServiceState> {
  const bytes = await readFile(recipe.file).catch(() => undefined);
  const text =
    recipe.encoding === 'utf16le'
      ? bytes
          ?.toString('utf16le')
          .replace(/^\ufeff/, '')
          .replaceAll('\r\n', '\n')
      : bytes?.toString('utf8');
  const active =
    bytes !== undefined &&
    (await run(recipe.query).then(
      () => true,
      () => false,
    ));
  return {
    platform: recipe.platform,
    file: recipe.file,
    installed: bytes !== undefined,
    outdated: text !== undefined && text !== recipe.content,
    active,
  };
}

async function run([command, ...args]: string[]): Promise<void> {
  const result = await execa(command!, args, {
    reject: false,
    stdin: 'ignore',
    timeout: COMMAND_MS,
    all: true,
  });
  if (result.failed) {
    const said = (result.all ?? '').trim() || result.shortMessage || 'no answer';
    throw new LecternError('io', `${[command, ...args].join(' ')} failed: ${said}`, {
      next: 'lectern daemon start   (works without a login service)',
    });
  }
}
