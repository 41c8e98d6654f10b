import { allPaths, type Candidate, type CommandNode, pathText, quoted, valuedOptions } from './command-tree.ts'

/** Returns an entry for `_describe`, in which the first colon ends the word. */
const entry = ({ word, description }: Candidate): string => quoted(`${word}:${description}`)

const caseOf = ({ path, words, options, takesFile }: CommandNode): string =>
  [
    `    (${quoted(pathText(path))})`,
    `      commands=(${words.map(entry).join(' ')})`,
    `      options=(${options.map(entry).join(' ')})`,
    ...(takesFile ? ['      files=yes'] : []),
    '      ;;',
  ].join('\n')

/** Returns the script for zsh: a file `_countersign` in `fpath`, or a sourced script. The script starts no program. */
export const zshCompletion = (tree: readonly CommandNode[]): string => `#compdef countersign
# Completion of countersign for zsh.
_countersign() {
  local at='' word files=''
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${allPaths(tree).map(quoted).join('|')}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
    (${valuedOptions(tree).map(quoted).join('|')}) return 1 ;;
  esac
  case "$at" in
${tree.map(caseOf).join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o option options
  elif (( \${#commands} )); then
    _describe command commands
  elif [[ -n "$files" ]]; then
    _files
  fi
}
if [[ "\${funcstack[1]}" == _countersign ]]; then
  _countersign "$@"
else
  compdef _countersign countersign
fi
`
