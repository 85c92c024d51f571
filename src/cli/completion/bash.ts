import { byTopic, type CompletableCommand, quoted } from './commands.ts';

export function bashScript(commands: readonly CompletableCommand[]): string {
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

function flagWords(command: CompletableCommand): string[] {
  return command.flags.flatMap((flag) => [
    `--${flag.name}`,
    ...(flag.char === undefined ? [] : [`-${flag.char}`]),
  ]);
}
