/** Hosts that read skills from a directory of their own (library contract 6.7, 10.3). */
export interface NativeSkillFolders {
  /** Below the project root. */
  project: string;
  /** Below the home directory. */
  global: string;
}

const FOLDERS: Readonly<Record<string, NativeSkillFolders>> = {
  'claude-code': { project: '.claude/skills', global: '.claude/skills' },
  codex: { project: '.codex/skills', global: '.codex/skills' },
  cursor: { project: '.cursor/skills', global: '.cursor/skills' },
  opencode: { project: '.opencode/skills', global: '.config/opencode/skills' },
};

/** Undefined for a host without native skills, known or not. */
export function nativeSkillFolders(harness: string): NativeSkillFolders | undefined {
  return Object.hasOwn(FOLDERS, harness) ? FOLDERS[harness] : undefined;
}

export const NATIVE_SKILL_HOSTS: readonly string[] = Object.keys(FOLDERS);
