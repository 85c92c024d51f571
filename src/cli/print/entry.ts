import { oneLine, screenSafe, wrap } from '../text.ts';
import type { Look } from './look.ts';
import { getCommandFor } from './query.ts';

interface Identity {
  catalog: string;
  plugin: string;
  name: string;
  kind: string;
  path: string;
}

/** The three forms that `get_skill` answers in (library contract 6.3). */
export type EntryAnswer =
  | (Identity & { content: string; resources: string[] })
  | (Identity & {
      description: string;
      when_to_use: string | null;
      plugin_version: string;
      user_invocable: boolean;
      resources?: { files: string[]; directories: Record<string, string[]> };
      prompt_name?: string;
    })
  | { matches: (Identity & { description: string })[]; next_actions: unknown[] };

export function formatEntryAnswer(answer: EntryAnswer, isScreen: boolean, look: Look): string {
  if ('matches' in answer) return formatMatches(answer.matches, look);
  if ('content' in answer) return isScreen ? screenSafe(answer.content) : answer.content;
  const { paint } = look;
  const lines = [
    `${paint.name(oneLine(answer.name))} ${paint.quiet(`${answer.kind} in ${oneLine(answer.catalog)}/${oneLine(answer.plugin)} ${oneLine(answer.plugin_version)}`.trimEnd())}`,
    ...wrap(oneLine(answer.description), look.width),
  ];
  if (answer.when_to_use !== null) {
    lines.push(`${paint.quiet('when:')}   ${oneLine(answer.when_to_use)}`);
  }
  lines.push(`${paint.quiet('file:')}   ${oneLine(answer.path)}`);
  if (answer.prompt_name !== undefined) {
    lines.push(`${paint.quiet('prompt:')} ${oneLine(answer.prompt_name)}`);
  }
  if (answer.resources !== undefined) {
    const files = [
      ...answer.resources.files,
      ...Object.values(answer.resources.directories).flat(),
    ];
    lines.push(...files.map((file) => `  ${oneLine(file)}`));
  }
  return lines.join('\n');
}

function formatMatches(
  matches: readonly (Identity & { description: string })[],
  look: Look,
): string {
  const { paint, width } = look;
  const lines = [`${matches.length} entries answer to that name:`];
  for (const match of matches) {
    lines.push(
      '',
      `${paint.name(oneLine(match.name))} ${paint.quiet(`${match.kind} in ${oneLine(match.catalog)}/${oneLine(match.plugin)}`)}`,
      ...wrap(oneLine(match.description), width - 4)
        .slice(0, 2)
        .map((line) => `    ${line}`),
      `    ${paint.quiet(getCommandFor(match))}`,
    );
  }
  return lines.join('\n');
}
