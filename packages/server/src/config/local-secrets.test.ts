import { chmod, link, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { findExposedSecrets, findLocalSecrets, localSecrets } from './local-secrets.ts'

// Files before this one have loaded the module without the spy, and files after this one need it so.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())

// The real functions, with spies.
vi.mock('node:fs/promises', { spy: true })

let root: string
let directory: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'countersign-secrets-'))
  directory = join(root, '.countersign')
})
afterEach(() => rm(root, { recursive: true }))

it('local secrets are created on first use, readable by this user only, and stay the same', async () => {
  const first = await localSecrets(directory)
  const second = await localSecrets(directory)
  expect(second).toEqual(first)
  expect(first.jwtKeys.current.secret).not.toEqual(first.encryptionKeys.current.secret)
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  expect((await stat(join(directory, 'secrets.env'))).mode & 0o777).toBe(0o600)
  expect(await readFile(join(directory, 'secrets.env'), 'utf8')).toMatch(
    /^#.*\nCOUNTERSIGN_JWT_KEYS=k\w+:\S{43}\nCOUNTERSIGN_ENCRYPTION_KEYS=k\w+:\S{43}\nCOUNTERSIGN_RECEIPT_KEYS=Ed25519:\S{43}\n$/,
  )
})

it('processes that start at the same time get the same secrets, and leave no other file', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => localSecrets(directory)))
  for (const one of all) expect(one).toEqual(all[0])
  expect(await readdir(directory)).toEqual(['secrets.env'])
})

it.each(['EPERM', 'EOPNOTSUPP'])(
  'a file system without hard links (%s) holds the secrets too, the same for all',
  async (code) => {
    vi.mocked(link).mockRejectedValue(Object.assign(new Error('no links'), { code }))
    onTestFinished(() => void vi.mocked(link).mockReset())
    const all = await Promise.all(Array.from({ length: 20 }, () => localSecrets(directory)))
    expect(link).toHaveBeenCalled()
    for (const one of all) expect(one).toEqual(all[0])
    expect(await readdir(directory)).toEqual(['secrets.env'])
  },
)

it('each directory has different local secrets', async () => {
  const here = await localSecrets(directory)
  const there = await localSecrets(join(root, 'other'))
  expect(there.jwtKeys.current.secret).not.toEqual(here.jwtKeys.current.secret)
})

it.each(['', '# a comment\n', '\n'])('a byte order mark before %j does not hide a secret', async (first) => {
  const secrets = await localSecrets(directory)
  const path = join(directory, 'secrets.env')
  const lines = (await readFile(path, 'utf8')).replace(/^#.*\n/, '')
  await writeFile(path, `\uFEFF${first}${lines}`)
  expect(await findLocalSecrets(directory)).toEqual(secrets)
  expect(await localSecrets(directory)).toEqual(secrets)
  await writeFile(path, `\uFEFF${first}${lines.trim().split('\n').toReversed().join('\n')}`)
  expect(await localSecrets(directory)).toEqual(secrets)
})

it.each([
  ['COUNTERSIGN_JWT_KEYS', 'hunter2', 'kid:base64url'],
  ['COUNTERSIGN_RECEIPT_KEYS', 'hunter2', 'Ed25519:base64url or ES256:base64url'],
  ['COUNTERSIGN_RECEIPT_KEYS', '', 'Ed25519:base64url or ES256:base64url'],
])('a file whose %s is %j is refused with one line, and is not overwritten', async (name, value, form) => {
  await localSecrets(directory)
  const path = join(directory, 'secrets.env')
  const broken = (await readFile(path, 'utf8')).replace(new RegExp(`${name}=.*`), `${name}=${value}`)
  await writeFile(path, broken)
  await expect(localSecrets(directory)).rejects.toMatchObject({
    name: 'StartupError',
    lines: [`${path}: ${name} entry 1 must have the form ${form}`],
  })
  expect(await readFile(path, 'utf8')).toBe(broken)
})

it('a directory that cannot be created is refused with one line', async () => {
  await writeFile(directory, '')
  const path = join(directory, 'secrets.env')
  await expect(localSecrets(directory)).rejects.toMatchObject({
    lines: [`${path}: cannot be read or made: a part of the path is a file, not a folder (ENOTDIR)`],
  })
})

it.runIf(process.platform !== 'win32')('a file that other users can access is reported with its mode', async () => {
  const path = join(directory, 'secrets.env')
  expect(await findExposedSecrets(directory)).toBeUndefined()
  await localSecrets(directory)
  expect(await findExposedSecrets(directory)).toBeUndefined()
  for (const mode of [0o644, 0o640, 0o604, 0o620, 0o610]) {
    await chmod(path, mode)
    expect(await findExposedSecrets(directory)).toEqual({ path, mode: mode.toString(8) })
  }
  await chmod(path, 0o400)
  expect(await findExposedSecrets(directory)).toBeUndefined()
})
