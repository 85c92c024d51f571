/** What the completion scripts are made of: commands, their flags, and how both are written down. */

export interface CompletableFlag {
  name: string;
  char?: string;
  takesValue: boolean;
  /** The only values it takes. */
  options: readonly string[];
  summary: string;
}

export interface CompletableCommand {
  /** `['catalog', 'add']` */
  words: readonly string[];
  summary: string;
  flags: readonly CompletableFlag[];
}

/** What topics are for, by name. */
export type TopicSummaries = Readonly<Record<string, string>>;

/** What a topic, or a command that is none, is for. */
export function summaryOf(
  topic: string,
  members: readonly CompletableCommand[],
  about: TopicSummaries,
): string {
  const isTopic = members[0]!.words.length > 1;
  return isTopic ? (about[topic] ?? `${topic} commands`) : members[0]!.summary;
}

/** Topics and single commands, then what follows each topic. */
export function byTopic(
  commands: readonly CompletableCommand[],
): Map<string, CompletableCommand[]> {
  const topics = new Map<string, CompletableCommand[]>();
  for (const command of commands) {
    const topic = command.words[0]!;
    topics.set(topic, [...(topics.get(topic) ?? []), command]);
  }
  return topics;
}

/** Inside single quotes of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
