import {
  byTopic,
  type CompletableCommand,
  quoted,
  summaryOf,
  type TopicSummaries,
} from './commands.ts';

export function fishScript(commands: readonly CompletableCommand[], about: TopicSummaries): string {
  const topics = byTopic(commands);
  const lines = ['# fish completion for lectern; load it with: lectern completion fish | source'];
  const add = (condition: string, rest: string): void => {
    lines.push(`complete -c lectern -n ${quoted(condition)} ${rest}`);
  };
  for (const [topic, members] of topics) {
    const isTopic = members[0]!.words.length > 1;
    const summary = summaryOf(topic, members, about);
    add('__fish_use_subcommand', `-f -a ${topic} -d ${quoted(summary)}`);
    const followers = members.flatMap((member) => member.words.slice(1, 2));
    for (const member of members) {
      const here = isTopic
        ? `__fish_seen_subcommand_from ${topic}; and __fish_seen_subcommand_from ${member.words[1]}`
        : `__fish_seen_subcommand_from ${topic}`;
      if (isTopic) {
        add(
          `__fish_seen_subcommand_from ${topic}; and not __fish_seen_subcommand_from ${followers.join(' ')}`,
          `-f -a ${member.words[1]} -d ${quoted(member.summary)}`,
        );
      }
      for (const flag of member.flags) {
        const short = flag.char === undefined ? '' : ` -s ${flag.char}`;
        const value = flag.takesValue
          ? ` -x${flag.options.length > 0 ? ` -a ${quoted(flag.options.join(' '))}` : ''}`
          : '';
        add(here, `-l ${flag.name}${short}${value} -d ${quoted(flag.summary)}`);
      }
    }
  }
  return lines.join('\n');
}
