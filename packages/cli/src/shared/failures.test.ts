import { errors, FieldNotOpened } from '@countersign/core'
import { StartupError } from '@countersign/server'
import { CommanderError } from 'commander'
import { expect, test } from 'vitest'
import { CommandFailed, toFailure } from './failures.ts'

test.each([
  [
    'wrong usage',
    new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'"),
    2,
    ["error: unknown option '--x'"],
  ],
  ['requested help', new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)'), 0, []],
  [
    'a missing command',
    new CommanderError(1, 'commander.help', '(outputHelp)'),
    2,
    ['error: a command is missing; --help lists them'],
  ],
  ['a refusal of the core', new errors.EmailTaken(), 1, ['error: A user with this email exists already']],
  ['input that the core refuses', new errors.Invalid({ email: 'must be one' }), 1, ['error: email: must be one']],
  ['a refusal of the command', new CommandFailed('no password was given'), 1, ['error: no password was given']],
  [
    'a field whose key is missing',
    new FieldNotOpened('not on the ring', { missingKey: '2025' }),
    1,
    ['error: a stored field cannot be decrypted: the key 2025 is not in COUNTERSIGN_ENCRYPTION_KEYS'],
  ],
  [
    'a field that was changed',
    new FieldNotOpened('changed'),
    1,
    ['error: a stored field cannot be decrypted: it was changed, or COUNTERSIGN_ENCRYPTION_KEYS has another secret for its key'],
  ],
  [
    'an error at start-up',
    new StartupError(['A: must be set', 'B: must be set']),
    1,
    ['error: A: must be set', 'error: B: must be set'],
  ],
  [
    'a database role without the necessary rights',
    Object.assign(new Error('permission denied for schema public'), { code: '42501' }),
    1,
    ['error: the role of the database lacks a right that this needs (42501)'],
  ],
  ['an unexpected error', new TypeError('x is not a function'), 1, ['error: unexpected failure: TypeError: x is not a function']],
])('%s prints the expected lines and has the expected exit code', async (_what, error, exitCode, lines) => {
  expect(await toFailure(error)).toEqual({ lines, exitCode })
})

test('a statement for which the database role lacks a right is reported as such, and an error at start-up with its own message', async () => {
  const cause = Object.assign(new Error('permission denied for table users'), { code: '42501' })
  expect(await toFailure(new errors.Unavailable(undefined, { cause }))).toEqual({
    lines: ['error: the role of the database lacks a right that this needs (42501)'],
    exitCode: 1,
  })
  expect(await toFailure(new StartupError(['A: must be set'], { cause }))).toMatchObject({ lines: ['error: A: must be set'] })
})

test('an unreachable database is reported with the error code of its driver', async () => {
  const cause = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
  expect(await toFailure(new errors.Unavailable(undefined, { cause }))).toEqual({
    lines: ['error: the database cannot serve now: another process writes to the file; try again (SQLITE_BUSY)'],
    exitCode: 1,
  })
})

test('a message of several lines is printed on one line, without control characters', async () => {
  const { lines } = await toFailure(new CommandFailed('first\n  second\u001b[2J\n'))
  expect(lines).toEqual(['error: first second\\u001b[2J'])
})
