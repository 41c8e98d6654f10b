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

/** Returns whether the text is a command with known options. Pages may omit arguments. Optional parts are in brackets. */
const isUnderstood = (text: string): boolean => {
  try {
    program.parse(text.match(/[^\s[\]…]+/g) ?? [], { from: 'user' })
    return true
  } catch (error) {
    return !['commander.unknownCommand', 'commander.unknownOption'].includes((error as CommanderError).code)
  }
}

/** Returns whether a line is a wrong command of ours. The words after `--` of npm belong to the program that npm runs. */
const isWrong = (line: string): boolean => {
  const [, command = '', rest = ''] = /^\s*(\S+)\s*(.*)/s.exec(line) ?? []
  if (command === 'npm') {
    const [own = '', handed = ''] = rest.split(/ ?-- /)
    const [first = '', script = first] = own.split(/\s+/).filter((word) => !/^(?:-.*|run)$/.test(word))
    const isKnown = ['install', 'pack', 'exec', 'init', 'pkg'].includes(first) || first in scripts
    return !isKnown || (script === 'countersign' && !isUnderstood(handed))
  }
  if (command === 'countersign') return rest !== '' && !isUnderstood(rest)
  // Tables of commands omit the name of the program.
  const isGroup = program.commands.some((one) => one.name() === command && one.commands.length > 0)
  return isGroup && /^[a-z][a-z-]*(?:\s|$)/.test(rest) && !isUnderstood(line)
}

/** Splits shell lines into commands, roughly, which suffices to find ours. */
const linesOf = ({ path, codes, blocks }: Page): readonly (readonly [at: string, line: string])[] =>
  [
    ...codes.map(({ line, text }) => ({ at: `${path}:${line}`, text })),
    ...blocks.filter(({ language }) => language === 'sh'),
  ].flatMap(({ at, text }) => text.split(/\n|\||&&|;|\$\(/).map((part) => [at, part.replace(/ #.*|\).*/, '')] as const))

test('every `countersign` command on a page exists, with the options that the page shows', () => {
  const lines = readPages().flatMap(linesOf)
  expect(lines.filter(([, line]) => isWrong(line))).toEqual([])
  expect(lines.filter(([, line]) => /^(?:npm|countersign) /.test(line)).length).toBeGreaterThan(20)
})

test.each(['npm run tset', 'npm run countersign -- user lst', 'countersign user list --jsn', 'session rovoke ID'])(
  '%s is found to be wrong',
  (line) => expect(isWrong(line)).toBe(true),
)
