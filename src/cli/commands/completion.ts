import { Argument, Command } from 'commander';
import type { Run } from '../commands.ts';
import { completer } from '../complete.ts';

/** `sluice completion` */
export function completionCommand(run: Run): Command {
  return new Command('completion')
    .description(
      'Print a script that completes commands, flags and their values in a shell. Members, namespaces, kinds, objects and policies come from the hub.',
    )
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
    .action((shell: keyof typeof scripts) => run.io.out(scripts[shell]));
}

/** Scripts that ask `sluice __complete` for every word; `:files` stands for the names of files. */
const scripts = {
  bash: `_sluice() {
  local line word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word") ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" ${completer} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case "\${COMPREPLY[0]}" in */) compopt -o nospace 2>/dev/null ;; esac
}
complete -F _sluice sluice
`,
  zsh: `#compdef sluice
_sluice() {
  local line
  local -a plain open
  for line in "\${(@f)$("\${words[1]}" ${completer} "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      '') ;;
      :files) _files; return ;;
      */) open+=("$line") ;;
      *) plain+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( \${#open} )) && compadd -S '' -a open
  (( \${#plain} )) && _describe 'sluice' plain
}
compdef _sluice sluice
`,
  fish: `function __sluice_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] ${completer} $words[2..-1] 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path (commandline -ct)
    else
      printf '%s\\n' $line
    end
  end
end
complete -c sluice -f -a '(__sluice_complete)'
`,
} as const;
