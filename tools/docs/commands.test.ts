import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, CommanderError } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../packages/cli/src/program.ts'
import { repository } from '../workspace.ts'
import { type Page, readPages } from './page.ts'

const program = createProgram(process)
const prepare = (command: Command): void => {
  command
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .allowExcessArguments()
  command.commands.forEach(prepare)
}
prepare(program)
// Commands of pages are read, and never run.
program.hook('preAction', () => {
  throw new Error('understood')
})
const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { readonly scripts: object }

/** Returns whether the words are a command with known options. Pages may omit arguments. Optional parts are in brackets. */
const isUnderstood = (words: readonly string[]): boolean => {
  try {
    program.parse(
      words.map((word) => word.replaceAll(/[[\]…]/g, '')).filter((word) => word !== ''),
      { from: 'user' },
    )
    return true
  } catch (error) {
    return !['commander.unknownCommand', 'commander.unknownOption'].includes((error as CommanderError).code)
  }
}

const groups = new Set(program.commands.filter(({ commands }) => commands.length > 0).map((command) => command.name()))

/** Returns whether a line is a wrong command of ours. The words after `--` of npm belong to the program that npm runs. */
const isWrong = (line: string): boolean => {
  const [command = '', ...words] = line.trim().split(/\s+/)
  if (command === 'npm') {
    const [own = [], handed = []] = words
      .join(' ')
      .split(/ ?-- /)
      .map((part) => part.split(' '))
    const [first = '', script = first] = own.filter((word) => !/^(?:-.*|run)$/.test(word))
    const isKnown = ['install', 'pack', 'exec', 'init', 'pkg'].includes(first) || first in scripts
    return !isKnown || (script === 'countersign' && !isUnderstood(handed))
  }
  if (command === 'countersign') return words.length > 0 && !isUnderstood(words)
  // Tables of commands omit the name of the program.
  return groups.has(command) && /^[a-z][a-z-]*$/.test(words[0] ?? '') && !isUnderstood([command, ...words])
}

/** Splits a shell line into commands, roughly, which suffices to find ours. */
const commandsIn = (line: string): readonly string[] => line.split(/\||&&|;|\$\(/).map((part) => part.replace(/ #.*|\).*/, ''))

const linesOf = ({ path, codes, blocks }: Page): readonly (readonly [at: string, line: string])[] => [
  ...codes.map(({ line, text }) => [`${path}:${line}`, text] as const),
  ...blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ at, text }) =>
      text
        .split('\n')
        .flatMap(commandsIn)
        .map((line) => [at, line] as const),
    ),
]

test('every command of ours on a page exists, with the options that the page shows', () => {
  const lines = readPages().flatMap(linesOf)
  expect(lines.filter(([, line]) => isWrong(line))).toEqual([])
  expect(lines.filter(([, line]) => /^(?:npm|countersign) /.test(line)).length).toBeGreaterThan(20)
})

test.each(['npm run tset', 'npm run countersign -- user lst', 'countersign user list --jsn', 'session rovoke ID'])(
  '%s is found to be wrong',
  (line) => expect(isWrong(line)).toBe(true),
)
