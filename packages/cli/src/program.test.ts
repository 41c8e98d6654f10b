import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from './program.ts'

const leavesOf = (command: Command, path = ''): readonly (readonly [path: string, command: Command])[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [[path, command] as const] : []),
  ...command.commands.flatMap((one) => leavesOf(one, `${path} ${one.name()}`.trim())),
]

const leaves = leavesOf(createProgram(process))

const helpOf = (command: Command): string => {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) })
  command.outputHelp()
  return help
}

test('the program has exactly the commands of the operating contract', () => {
  expect(leaves.map(([path]) => path)).toEqual([
    'serve',
    'migrate',
    'migrate-data',
    'user create',
    'user import',
    'user list',
    'user show',
    'user why',
    'user update',
    'user delete',
    'user export',
    'user disable',
    'user enable',
    'user set-password',
    'user enrol',
    'user invite',
    'user reset',
    'user lock',
    'user unlock',
    'user grant',
    'user revoke',
    'user delegate',
    'user undelegate',
    'user delegations',
    'device list',
    'device trust',
    'device revoke',
    'session list',
    'session revoke',
    'passkey list',
    'passkey trust',
    'passkey revoke',
    'push test',
    'confirmation list',
    'confirmation show',
    'receipt export',
    'receipt verify',
    'vectors check',
    'schema register',
    'schema list',
    'schema show',
    'schema activate',
    'schema deactivate',
    'schema check',
    'action register',
    'action list',
    'action show',
    'action activate',
    'action deactivate',
    'action check',
    'action types',
    'action policy',
    'action policy test',
    'project list',
    'project show',
    'project approve',
    'project delete',
    'customer create',
    'customer list',
    'resource import',
    'expense import',
    'service-token issue',
    'service-token list',
    'service-token revoke',
    'keys generate',
    'keys rotate',
    'keys list',
    'keys retire',
    'keys revoke',
    'sweep',
    'recover after-restore',
    'archive',
    'openapi',
    'doctor',
    'completion',
  ])
})

test.each(leaves)('%s accepts --json, and its help has a description and an example', (path, command) => {
  const help = helpOf(command)
  expect(command.description()).not.toBe('')
  expect(help).toMatch(/^ {2}--json /m)
  expect(help).toMatch(new RegExp(`Example:\\n  \\$ .*countersign ${path}\\b`))
})

test.each([60, 80, 200])('the help fits a terminal of %i columns, except for command lines, which stay whole', (columns) => {
  const stdout = Object.assign(Object.create(process.stdout), { isTTY: true, columns })
  const program = createProgram({ ...process, stdout })
  for (const [, command] of [['', program] as const, ...leavesOf(program)]) {
    const lines = helpOf(command).split('\n')
    expect(lines.filter((line) => line.length > columns && !/^Usage: |^ +\$ /.test(line))).toEqual([])
  }
  const [last] = leavesOf(program)
    .filter(([path]) => path === 'recover after-restore')
    .map(([, command]) => helpOf(command))
  expect(last).toContain('$ countersign recover after-restore --since 2026-01-31T03:00:00Z --dry-run\n')
})

test.each(leaves)('%s describes each of its arguments and options', (_path, command) => {
  for (const { description } of [...command.registeredArguments, ...command.options]) expect(description).not.toBe('')
})
