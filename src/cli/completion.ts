import { Argument, Command } from 'commander';
import type { Run } from './commands.ts';
import { commandPages } from './help.ts';
import type { CommandPage } from './help.ts';

/** `sluice completion` */
export function completionCommand(run: Run): Command {
  return new Command('completion')
    .description('Print a script that completes commands and flags in a shell.')
    .addArgument(new Argument('<SHELL>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  source <(sluice completion bash)
  sluice completion zsh > "\${fpath[1]}/_sluice"
  sluice completion fish > ~/.config/fish/completions/sluice.fish
`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => run.io.out(scripts[shell](await commandPages(run))));
}

type Script = (pages: readonly CommandPage[]) => string;

const scripts: Readonly<Record<'bash' | 'zsh' | 'fish', Script>> = { bash, zsh, fish };

function bash(pages: readonly CommandPage[]): string {
  const cases = pages.map(({ name, flags }) => `    ${name}) words="${[...flags, '--help'].join(' ')}" ;;`);
  return `_sluice() {
  local words word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${pages.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="--help" ;;
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -F _sluice sluice
`;
}

function zsh(pages: readonly CommandPage[]): string {
  const commands = pages.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`);
  const cases = pages.map(({ name, flags }) => `    ${name}) flags=(${[...flags, '--help'].join(' ')}) ;;`);
  return `#compdef sluice
_sluice() {
  local -a commands flags
  commands=(
${commands.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then compadd -- $flags; else _files; fi
}
compdef _sluice sluice
`;
}

function fish(pages: readonly CommandPage[]): string {
  const lines = pages.flatMap(({ name, summary, flags }) => [
    `complete -c sluice -n __fish_use_subcommand -f -a ${name} -d '${quoted(summary)}'`,
    ...flags.map((flag) => `complete -c sluice -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Safe within single quotes of a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", '’');
}
