import type { Command } from 'commander'

/** A word that completes the input, with its description. */
export interface Candidate {
  readonly word: string
  readonly description: string
}

export interface CommandNode {
  /** The words after the program name, such as `['user', 'create']`; empty for the program itself. */
  readonly path: readonly string[]
  /** The subcommands, or the values of the argument. */
  readonly words: readonly Candidate[]
  readonly options: readonly (Candidate & { readonly takesValue: boolean })[]
  readonly takesFile: boolean
}

const candidateOf = (command: Command): Candidate => ({ word: command.name(), description: command.description() })

const choicesOf = ({ registeredArguments }: Command): readonly Candidate[] =>
  registeredArguments.flatMap(({ argChoices = [], description }) => argChoices.map((word) => ({ word, description })))

const nodeOf = (command: Command, path: readonly string[]): CommandNode => ({
  path,
  words: command.commands.length > 0 ? command.commands.map(candidateOf) : choicesOf(command),
  options: command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, description, required, optional }) => ({ word: long ?? '', description, takesValue: required || optional })),
  takesFile: command.registeredArguments.some((argument) => argument.name() === 'file'),
})

/** Returns a command and all commands below it, the command itself first. */
export const commandTree = (command: Command, path: readonly string[] = []): readonly CommandNode[] => [
  nodeOf(command, path),
  ...command.commands.flatMap((one) => commandTree(one, [...path, one.name()])),
]

/** Returns a path as the scripts compare it: a space before each word. */
export const pathText = (path: readonly string[]): string => path.map((word) => ` ${word}`).join('')

/** Puts text in single quotes, in which POSIX shells and zsh expand nothing. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns the paths of all commands except the program itself, as patterns of a `case`. */
export const allPaths = (tree: readonly CommandNode[]): readonly string[] =>
  tree.filter(({ path }) => path.length > 0).map(({ path }) => pathText(path))

/** Returns each path with each of its options that take a value, as patterns of a `case`. */
export const valuedOptions = (tree: readonly CommandNode[]): readonly string[] =>
  tree.flatMap(({ path, options }) =>
    options.filter(({ takesValue }) => takesValue).map(({ word }) => `${pathText(path)} ${word}`),
  )
