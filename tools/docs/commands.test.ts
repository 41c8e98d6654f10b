import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../packages/cli/src/program.ts'
import { repository } from '../workspace.ts'
import { type Page, readPages } from './page.ts'

const program = createProgram(process)
const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { readonly scripts: object }

const isScript = (words: readonly string[]): boolean => {
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'))
  return ['install', 'pack', 'exec', 'init'].includes(first) || (first === 'run' ? second : first) in scripts
}

/** Returns the command that the first words name: `user list --json` names `list` of `user`. */
const findCommand = (words: readonly string[], from: Command = program): Command => {
  const next = from.commands.find((one) => one.name() === words[0])
  return next === undefined ? from : findCommand(words.slice(1), next)
}

/** Returns whether the words are a complete command with known options. A command without arguments needs a subcommand. */
const isUnderstood = (words: readonly string[]): boolean => {
  const command = findCommand(words)
  const isWhole =
    command === program
      ? words.every((word) => word.startsWith('-'))
      : command.commands.length === 0 || command.registeredArguments.length > 0 || words.length === 1
  // Optional parts are in brackets.
  const given = words.map((word) => word.replaceAll(/[[\]…]/g, '').split('=')[0] ?? '').filter((word) => /^--?[a-z]/.test(word))
  const known = ['--help', ...command.options.flatMap(({ long, short }) => [long, short])]
  return isWhole && given.every((option) => known.includes(option))
}

const groups = new Set(program.commands.filter(({ commands }) => commands.length > 0).map((command) => command.name()))

/** Returns whether a line is a wrong command of ours. The words after `--` of npm belong to the program that npm runs. */
const isWrong = (line: string): boolean => {
  const [command = '', ...words] = line.trim().split(/\s+/)
  if (command === 'npm') {
    // npm's own command for a new project.
    if (words[0] === 'pkg') return false
    const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
    const handed = words.slice(own.length + 1).filter((word) => word !== '…')
    return !isScript(own) || (own.at(-1) === 'countersign' && handed.length > 0 && !isUnderstood(handed))
  }
  if (command === 'countersign') return words.length > 0 && !isUnderstood(words.filter((word) => word !== '…'))
  // Tables of commands omit the name of the program.
  return groups.has(command) && /^[a-z][a-z-]*$/.test(words[0] ?? '') && !isUnderstood([command, ...words])
}

/** Splits a shell line into commands, roughly, which suffices to find ours. */
const commandsIn = (line: string): readonly string[] => line.split(/\||&&|;|\$\(/).map((part) => part.replace(/ #.*|\).*/, ''))

const linesOf = (page: Page): readonly { readonly at: string; readonly text: string }[] => [
  ...page.codes.map(({ line, text }) => ({ at: `${page.path}:${line}`, text })),
  ...page.blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ at, text }) => text.split('\n').flatMap((line) => commandsIn(line).map((part) => ({ at, text: part })))),
]

test('every command of ours on a page exists, with the options that the page shows', () => {
  const lines = readPages().flatMap(linesOf)
  expect(lines.filter(({ text }) => isWrong(text)).map(({ at, text }) => `${at} ${text}`)).toEqual([])
  expect(lines.filter(({ text }) => /^(?:npm|countersign) /.test(text)).length).toBeGreaterThan(20)
})

test.each(['npm run tset', 'countersign user lst', 'countersign user list --jsn', 'session rovoke ID'])(
  '%s is found to be wrong',
  (line) => {
    expect(isWrong(line)).toBe(true)
  },
)
