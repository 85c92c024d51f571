import {
  byTopic,
  type CompletableCommand,
  quoted,
  summaryOf,
  type TopicSummaries,
} from './commands.ts';

/** A `name:description` item of zsh's _describe: colons of the name escaped. */
const described = (name: string, summary: string): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${summary}`);

export function zshScript(commands: readonly CompletableCommand[], about: TopicSummaries): string {
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
