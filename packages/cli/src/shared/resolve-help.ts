import type { Command } from 'commander'

/** Options of commands that have commands take no value, so every other word of theirs names a command. */
const isOption = (word: string): boolean => word.startsWith('-')

/**
 * Turns every way to ask for help into the one that Commander reads: `help user create`, `user help create` and
 * `user create --help` are the same. An unknown name is left as the last word, which Commander refuses by its name; else it
 * would show the help of what stands above.
 */
export const withHelpResolved = (program: Command, args: readonly string[]): readonly string[] => {
  const path: string[] = []
  let command = program
  let asksForHelp = false
  for (const word of args) {
    if (command.commands.length === 0) break
    if (isOption(word)) continue
    if (word === 'help') {
      asksForHelp = true
      continue
    }
    path.push(word)
    const next = command.commands.find((one) => one.name() === word)
    if (next === undefined) return path
    command = next
  }
  return asksForHelp ? [...path, '--help'] : args
}
