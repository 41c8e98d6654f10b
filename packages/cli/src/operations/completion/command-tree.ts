import type { Command } from 'commander'

/** A word that can be completed, and what it means. */
export interface Candidate {
  readonly word: string
  readonly description: string
}

/** What can come after the words of a command. */
export interface CommandNode {
  /** The words after the program's name: `['user', 'create']`; none for the program itself. */
  readonly path: readonly string[]
  /** Commands below, or the values that its argument takes. */
  readonly words: readonly Candidate[]
  readonly options: readonly (Candidate & { readonly takesValue: boolean })[]
  /** Whether one of its arguments is a file. */
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

/** Every command of a program, itself first. */
export const commandTree = (command: Command, path: readonly string[] = []): readonly CommandNode[] => [
  nodeOf(command, path),
  ...command.commands.flatMap((one) => commandTree(one, [...path, one.name()])),
]

/** A path as the scripts compare it: each word behind a space. */
export const pathText = (path: readonly string[]): string => path.map((word) => ` ${word}`).join('')

/** Text in single quotes, of which a POSIX shell and zsh expand nothing. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The paths of all commands but the program itself, for a `case`. */
export const allPaths = (tree: readonly CommandNode[]): readonly string[] =>
  tree.filter(({ path }) => path.length > 0).map(({ path }) => pathText(path))

/** A path and an option of it that takes a value, for a `case`. */
export const valuedOptions = (tree: readonly CommandNode[]): readonly string[] =>
  tree.flatMap(({ path, options }) =>
    options.filter(({ takesValue }) => takesValue).map(({ word }) => `${pathText(path)} ${word}`),
  )
