import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createWorkplace, type Workplace } from './testing/run-command.ts'
import type { CommandInput } from './testing/run-in-test-process.ts'

let here: Workplace
beforeAll(() => {
  here = createWorkplace()
})
afterAll(() => here.remove())

test.each([
  [[], 'a command is missing; --help lists them'],
  [['user'], 'a command is missing; --help lists them'],
  [['usr'], "unknown command 'usr' (Did you mean user?)"],
  [['user', 'lst'], "unknown command 'lst' (Did you mean list?)"],
  [['user', 'list', '--wide'], "unknown option '--wide'"],
  [['confirmation', 'list', '--scope', 'acme'], "unknown option '--scope' (now `--tenant`)"],
  [['service-token', 'issue', '--service', 'a', '--within', 'acme'], "unknown option '--within' (now `--tenant`)"],
  [['user', 'list', 'more'], "too many arguments for 'list'. Expected 0 arguments but got 1: more."],
  [['user', 'show'], "missing required argument 'user'"],
  [['user', 'grant', 'ada@example.com'], "missing required argument 'permission'"],
  [['help', 'nope'], "unknown command 'nope'"],
  [['nope', '--help'], "unknown command 'nope'"],
  [['help', 'user', 'lst'], "unknown command 'lst' (Did you mean list?)"],
  [['user', 'help', 'nope'], "unknown command 'nope'"],
  [['completion'], "missing required argument 'shell'"],
  [['completion', 'tcsh'], "command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish."],
  [['user', 'set-password', 'ada@example.com'], "required option '--password-stdin' not specified"],
  [['user', 'create', '--email', 'ada@example.com'], "required option '--password-stdin' not specified"],
  [['archive', '--yes'], "required option '--before <date>' not specified"],
  [
    ['service-token', 'issue', '--service', 'a', '--ttl', '1h'],
    "option '--ttl <seconds>' argument '1h' is invalid. It takes a whole number.",
  ],
  [['serve', '--host', ''], "option '--host <host>' argument '' is invalid. It takes an address or a host name."],
  [['passkey', 'revoke', '--nonsense'], "unknown option '--nonsense'"],
  [['passkey', 'revoke', '-x'], "unknown option '-x'"],
  [['passkey', 'revoke', '--id=qT5vLr0m1cWJ2y0m8d3Nw1'], "unknown option '--id=qT5vLr0m1cWJ2y0m8d3Nw1'"],
  [['serve', '--port', '70000'], "option '--port <port>' argument '70000' is invalid. It takes a port from 0 to 65535."],
])('%j is wrong usage: one line on standard error and exit code 2', async (args, line) => {
  expect(await here.run(args)).toEqual({ code: 2, stdout: '', stderr: `error: ${line}\n` })
})

test('a command that only reads creates neither a missing database file nor keys', async () => {
  const elsewhere = createWorkplace()
  onTestFinished(() => elsewhere.remove())
  const { code, stdout, stderr } = await elsewhere.runProcess(['user', 'list'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^error: the database sqlite:\S+ does not exist yet; `countersign migrate` makes it\n$/)
  expect(readdirSync(elsewhere.directory)).toEqual([])
})

test('a refused operation prints one line and exits with 1, with and without --json', async () => {
  // An empty database.
  writeFileSync(join(here.directory, 'countersign.db'), '')
  const refusal = { code: 1, stdout: '', stderr: 'error: the database has pending migrations; run `countersign migrate` first\n' }
  expect(await here.run(['user', 'list'])).toEqual(refusal)
  expect(await here.run(['user', 'list', '--json'])).toEqual(refusal)
})

test('a bad configuration prints one line for each bad variable, without its value', async () => {
  const env = { COUNTERSIGN_PORT: 'porto', COUNTERSIGN_JWT_KEYS: 'k1:tooshort' }
  const { code, stdout, stderr } = await here.run(['user', 'list'], { env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  const lines = stderr.trimEnd().split('\n').sort()
  expect(lines).toEqual([
    expect.stringMatching(/^error: COUNTERSIGN_JWT_KEYS: must be /),
    expect.stringMatching(/^error: COUNTERSIGN_PORT: must be /),
  ])
  expect(stderr).not.toMatch(/porto|tooshort/)
})

test.each([
  ['sqlite::memory:', /^error: COUNTERSIGN_DATABASE_URL: the path after sqlite: must name a file[^\n]*\n$/],
  ['sqlite:countersign.db ', /^error: COUNTERSIGN_DATABASE_URL: the path after sqlite: must not begin or end[^\n]*\n$/],
  ['mysql://localhost/x', /^error: COUNTERSIGN_DATABASE_URL: must be sqlite:<path> or postgres:[^\n]*\n$/],
  [
    'sqlite:/dev/null/countersign.db',
    /^error: the database sqlite:\/dev\/null\/countersign\.db cannot be opened: [^\n]+ \(E[A-Z]+\)\n$/,
  ],
])('a database at %s that cannot be opened is reported on one line', async (url, line) => {
  const ran = await here.run(['migrate'], { env: { COUNTERSIGN_DATABASE_URL: url } })
  expect(ran).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
})

test.each([
  [['migrate']],
  [['doctor']],
  [['doctor', '--json']],
  [['user', 'list']],
  [['serve']],
  [['migrate-data', '--from', 'postgres://app:/s3cret@127.0.0.1:1/x', '--to', 'sqlite:new.db']],
])('%j shows no part of a password that is not percent-encoded', async (args) => {
  const env = args[0] === 'migrate-data' ? {} : { COUNTERSIGN_DATABASE_URL: 'postgres://app:/s3cret@127.0.0.1:1/x' }
  const { code, stdout, stderr } = await here.run(args, { env })
  expect(code).toBe(1)
  expect(stdout + stderr).toContain('percent-encode the password')
  expect(stdout + stderr).not.toContain('s3cret')
})

test('the version and the help are printed on standard output', async () => {
  expect(await here.run(['--version'])).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+.*\n$/), stderr: '' })
  const help = await here.run(['user', 'create', '--help'])
  expect(help).toEqual({ code: 0, stdout: expect.stringContaining('--password-stdin'), stderr: '' })
  expect(await here.run(['help', 'user', 'create'])).toEqual(help)
  expect(await here.run(['user', 'help', 'create'])).toEqual(help)
  expect(await here.run(['help'])).toEqual(await here.run(['--help']))
})

test.each<[args: readonly string[], input?: CommandInput]>([
  [['--version']],
  [['help', 'user']],
  [['user', 'create', '--email', 'ada@example.com', '--password-stdin'], { stdin: 'too short' }],
  [['user', 'list', '--json']],
  [['doctor', '--json'], { env: { COUNTERSIGN_PORT: 'porto' } }],
  [['user', 'list'], { env: { COUNTERSIGN_DATABASE_URL: 'nonsense' } }],
  [['user', 'show', 'eve@example.com']],
  [['usr']],
])('%j prints the same, and exits with the same code, in a process of its own and in the test process', async (args, input) => {
  await here.json(['migrate'])
  expect(await here.runProcess(args, input)).toEqual(await here.run(args, input))
})

test('a reader that closes standard output early causes no failure', async () => {
  expect(await here.runProcess(['user', '--help'], { unread: 'stdout' })).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('a reader that closes standard error early changes neither the answer nor the exit code', async () => {
  await here.json(['migrate'])
  const issued = await here.runProcess(['service-token', 'issue', '--service', 'billing'], { unread: 'stderr' })
  expect(issued).toEqual({ code: 0, stdout: expect.stringMatching(/^[^\n]{40,}\n$/), stderr: '' })
  expect(await here.runProcess(['user', 'show', 'eve@example.com'], { unread: 'stderr' })).toMatchObject({ code: 1, stdout: '' })
  expect(await here.runProcess(['user', 'shw'], { unread: 'stderr' })).toMatchObject({ code: 2, stdout: '' })
})

describe.runIf(process.platform === 'linux')('on a full disk', () => {
  test.each([[['keys', 'generate']], [['openapi', '--json']], [['service-token', 'list', '--json']], [['user', '--help']]])(
    '%j prints one line saying that its answer cannot be written, and exits with 1',
    async (args) => {
      await here.json(['migrate'])
      const stderr = 'error: standard output cannot be written (ENOSPC)\n'
      expect(await here.runProcess(args, { full: 'stdout' })).toEqual({ code: 1, stdout: '', stderr })
    },
  )

  test('a warning that cannot be written does not change the answer', async () => {
    await here.json(['migrate'])
    const issued = await here.runProcess(['service-token', 'issue', '--service', 'billing'], { full: 'stderr' })
    expect(issued).toEqual({ code: 0, stdout: expect.stringMatching(/^[^\n]{40,}\n$/), stderr: '' })
  })
})
