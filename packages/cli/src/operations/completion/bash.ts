import { allPaths, type CommandNode, pathText, quoted, valuedOptions } from './command-tree.ts'

const caseOf = ({ path, words, options, takesFile }: CommandNode): string =>
  [
    `    ${quoted(pathText(path))})`,
    `      words=${quoted(words.map(({ word }) => word).join(' '))}`,
    `      options=${quoted(options.map(({ word }) => word).join(' '))}`,
    ...(takesFile ? ['      files=yes'] : []),
    '      ;;',
  ].join('\n')

/** Returns the script for bash 3.2 and newer, which starts no program and never runs the typed words. Bash completes file names. */
export const bashCompletion = (tree: readonly CommandNode[]): string => `# Completion of countersign for bash.
_countersign() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path='' words='' options='' files='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path \${COMP_WORDS[i]}" in
      ${allPaths(tree).map(quoted).join('|')})
        path="$path \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path \${COMP_WORDS[COMP_CWORD - 1]}" in
    ${valuedOptions(tree).map(quoted).join('|')})
      compopt +o default 2>/dev/null
      return ;;
  esac
  case "$path" in
${tree.map(caseOf).join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
  if [[ -z $files ]]; then compopt +o default 2>/dev/null; fi
}
complete -o default -F _countersign countersign
`
