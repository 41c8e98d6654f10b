import { allPaths, type CommandNode, pathText } from './command-tree.ts'

/** Puts text in single quotes. Inside them, fish treats a backslash before a quote or another backslash as an escape. */
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, (character) => `\\${character}`)}'`

const linesOf = ({ path, words, options, takesFile }: CommandNode): readonly string[] => {
  const here = `complete -c countersign -n ${quoted(`__countersign_at ${quoted(pathText(path))}`)}`
  return [
    ...words.map(({ word, description }) => `${here} -a ${quoted(word)} -d ${quoted(description)}`),
    ...options.map(
      ({ word, description, takesValue }) =>
        `${here} -l ${quoted(word.slice(2))}${takesValue ? ' -x' : ''} -d ${quoted(description)}`,
    ),
    ...(takesFile ? [`${here} -F`] : []),
  ]
}

/** Returns the script for fish. The script contains all commands and starts no program. */
export const fishCompletion = (tree: readonly CommandNode[]): string => `# Completion of countersign for fish.
function __countersign_at
    set -l path ''
    for word in (commandline -opc)
        switch "$path $word"
            case ${allPaths(tree).map(quoted).join(' ')}
                set path "$path $word"
        end
    end
    test "$path" = "$argv[1]"
end
complete -c countersign -f
${tree.flatMap(linesOf).join('\n')}
`
