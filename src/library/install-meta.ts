import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { INVALID_PARAMS, LecternError } from '../core/errors.ts';
import { META_SKILLS, type MetaSkill } from './meta-skill.ts';
import { NATIVE_SKILL_HOSTS, nativeSkillFolders } from './native-skills.ts';
import type { LibrarySession } from './parts.ts';

/** Input of the `meta` tool. */
export interface MetaInput {
  action?: 'install';
  skill_id: string;
  scope?: 'project' | 'global';
}

/**
 * Answer `meta` (library contract 6.7): put a bundled skill into the host's own
 * skills directory, as one replacement.
 *
 * @param projectRoot the bound project; null: the working directory
 * @throws LecternError meta_skill_not_found, no_harness_detected, meta_install_failed
 */
export async function installMeta(
  input: MetaInput,
  session: LibrarySession,
  projectRoot: string | null,
): Promise<object> {
  const skill = META_SKILLS.get(input.skill_id);
  if (skill === undefined) {
    const known = [...META_SKILLS.keys()].join(', ');
    throw new LecternError(
      'meta_skill_not_found',
      `there is no bundled skill "${input.skill_id}"; there is: ${known}`,
      { extras: { skill_id: input.skill_id } },
    );
  }
  const { harness } = session;
  if (harness === null) {
    throw new LecternError(
      'no_harness_detected',
      `this server was started without --harness, so no skills directory is known; start it with one of: ${NATIVE_SKILL_HOSTS.join(', ')}`,
    );
  }
  const folders = nativeSkillFolders(harness);
  if (folders === undefined) {
    throw new LecternError(
      'no_harness_detected',
      `"${harness}" has no skills directory of its own; these have: ${NATIVE_SKILL_HOSTS.join(', ')}`,
      { extras: { harness } },
    );
  }
  const scope = input.scope ?? 'project';
  const home = session.env['HOME'] ?? homedir();
  const base = scope === 'project' ? (projectRoot ?? session.cwd) : home;
  if (base === null) {
    throw new LecternError(
      'no_harness_detected',
      'no project is known over HTTP; use scope: "global"',
    );
  }
  if (!isAbsolute(base)) {
    throw new LecternError('no_harness_detected', `"${harness}" has no directory for ${scope}`);
  }
  const directory = join(base, folders[scope]);
  await writeSkill(skill, base, directory);
  return {
    skill_id: skill.id,
    installed_at: { harness, scope, dir: directory, revision: skill.revision },
  };
}

/** Into a staging folder beside the target, then renamed: complete or absent. */
async function writeSkill(skill: MetaSkill, base: string, directory: string): Promise<void> {
  const target = join(directory, skill.id);
  const staging = join(directory, `.${skill.id}.lectern-${process.pid}.tmp`);
  const old = `${staging}.old`;
  try {
    await refuseLinks(base, target);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await rm(staging, { recursive: true, force: true });
    for (const [path, text] of Object.entries(skill.files)) {
      const file = join(staging, path);
      await mkdir(dirname(file), { recursive: true, mode: 0o755 });
      await writeFile(file, text, { mode: 0o644 });
    }
    await rm(old, { recursive: true, force: true });
    await rename(target, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rename(staging, target);
    await rm(old, { recursive: true, force: true });
  } catch (cause) {
    await rm(staging, { recursive: true, force: true }).catch(() => {});
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new LecternError('meta_install_failed', `cannot install ${skill.id}: ${why}`, {
      rpc: INVALID_PARAMS,
      cause,
    });
  }
}

/** Below the base no component may be a link (library contract 10.5): it could lead anywhere. */
async function refuseLinks(base: string, target: string): Promise<void> {
  let path = base;
  for (const part of relative(base, target).split(sep)) {
    path = join(path, part);
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) return;
    if (found.isSymbolicLink()) throw new Error(`${path} is a link`);
  }
}
