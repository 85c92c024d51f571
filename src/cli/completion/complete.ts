/**
 * Shell completion scripts, written out whole from the command list: nothing is
 * started while a person presses Tab.
 */
import { bashScript } from './bash.ts';
import type { CompletableCommand, TopicSummaries } from './commands.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

export type Shell = 'bash' | 'zsh' | 'fish';
export const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

/**
 * The completion script of `shell` for these commands, in the order given.
 *
 * @param about what each topic, such as `catalog`, is for
 */
export function completionScript(
  shell: Shell,
  commands: readonly CompletableCommand[],
  about: TopicSummaries,
): string {
  if (shell === 'bash') return bashScript(commands);
  return shell === 'zsh' ? zshScript(commands, about) : fishScript(commands, about);
}
