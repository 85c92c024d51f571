/**
 * Shell completion scripts, written out whole from the command list: nothing is
 * started while a person presses Tab.
 */

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

function summaryOf(
  topic: string,
  members: readonly CompletableCommand[],
  about: TopicSummaries,
): string {
  const isTopic = members[0]!.words.length > 1;
  return isTopic ? (about[topic] ?? `${topic} commands`) : members[0]!.summary;
}

export type Shell = 'bash' | 'zsh' | 'fish';
export const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

/** Topics and single commands, then what follows each topic. */
function byTopic(commands: readonly CompletableCommand[]): Map<string, CompletableCommand[]> {
  const topics = new Map<string, CompletableCommand[]>();
  for (const command of commands) {
    const topic = command.words[0]!;
    topics.set(topic, [...(topics.get(topic) ?? []), command]);
  }
  return topics;
}

function flagWords(command: CompletableCommand): string[] {
  return command.flags.flatMap((flag) => [
    `--${flag.name}`,
    ...(flag.char === undefined ? [] : [`-${flag.char}`]),
  ]);
}

/** Inside single quotes of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bashScript(commands: readonly CompletableCommand[]): string {
  const topics = byTopic(commands);
  const cases = [...topics].flatMap(([topic, members]) => {
    const followers = members.flatMap((member) => member.words.slice(1, 2));
    const lines = members.map(
      (member) =>
        `    ${quoted(member.words.join(' '))}) words=${quoted(flagWords(member).join(' '))} ;;`,
    );
    return followers.length === 0
      ? lines
      : [`    ${quoted(topic)}) words=${quoted(followers.join(' '))} ;;`, ...lines];
  });
  const values = new Map(
    commands.flatMap((command) =>
      command.flags
        .filter((flag) => flag.options.length > 0)
        .map((flag) => [`--${flag.name}`, flag.options.join(' ')] as const),
    ),
  );
  const valueCases = [...values].map(
    ([flag, options]) =>
      `    ${flag}) COMPREPLY=($(compgen -W ${quoted(options)} -- "$word")); return ;;`,
  );
  return `# bash completion for lectern; load it with: source <(lectern completion bash)
_lectern() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=''
  case $before in
${valueCases.join('\n')}
  esac
  local first=\${COMP_WORDS[1]:-} second=\${COMP_WORDS[2]:-}
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W ${quoted([...topics.keys()].join(' '))} -- "$word"))
    return
  fi
  local key="$first"
  case " ${[...topics]
    .filter(([, members]) => members[0]!.words.length > 1)
    .map(([topic]) => topic)
    .join(' ')} " in
    *" $first "*) (( COMP_CWORD > 2 )) && key="$first $second" ;;
  esac
  case "$key" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _lectern lectern`;
}

/** A `name:description` item of zsh's _describe: colons of the name escaped. */
const described = (name: string, summary: string): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${summary}`);

function zshScript(commands: readonly CompletableCommand[], about: TopicSummaries): string {
  const topics = byTopic(commands);
  const first = [...topics].map(([topic, members]) =>
    described(topic, summaryOf(topic, members, about)),
  );
  const cases = [...topics].map(([topic, members]) => {
    const argumentsOf = (member: CompletableCommand): string =>
      `_arguments ${member.flags
        .map((flag) => {
          const summary = flag.summary.replaceAll(/[[\]:]/g, ' ');
          const value = flag.takesValue
            ? `:${flag.name}:${flag.options.length > 0 ? `(${flag.options.join(' ')})` : ''}`
            : '';
          return quoted(`--${flag.name}[${summary}]${value}`);
        })
        .join(' ')} '*:file:_files'`;
    if (members[0]!.words.length === 1) return `    ${topic}) ${argumentsOf(members[0]!)} ;;`;
    const inner = members.map((member) => `        ${member.words[1]}) ${argumentsOf(member)} ;;`);
    return `    ${topic})
      if (( CURRENT == 3 )); then
        local -a followers=(${members.map((member) => described(member.words[1]!, member.summary)).join(' ')})
        _describe 'command' followers
        return
      fi
      case $words[3] in
${inner.join('\n')}
      esac ;;`;
  });
  return `#compdef lectern
# zsh completion for lectern; load it with: source <(lectern completion zsh)
_lectern() {
  if (( CURRENT == 2 )); then
    local -a commands=(${first.join(' ')})
    _describe 'command' commands
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
}
compdef _lectern lectern`;
}

function fishScript(commands: readonly CompletableCommand[], about: TopicSummaries): string {
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
