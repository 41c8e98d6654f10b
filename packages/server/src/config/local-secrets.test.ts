import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateReceiptKeyRing } from '@countersign/core'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
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

it('local secrets differ from directory to directory', async () => {
  const here = await localSecrets(directory)
  const there = await localSecrets(join(root, 'other'))
  expect(there.jwtKeys.current.secret).not.toEqual(here.jwtKeys.current.secret)
})

const kidsOf = ({ receiptKeys }: Awaited<ReturnType<typeof localSecrets>>) => receiptKeys?.keys.map(({ kid }) => kid)

describe('a file of before receipts', () => {
  let path: string
  let older: string
  beforeEach(async () => {
    path = join(directory, 'secrets.env')
    await localSecrets(directory)
    older = (await readFile(path, 'utf8')).replace(/COUNTERSIGN_RECEIPT_KEYS=.*\n/, '')
    await writeFile(path, older)
  })

  it('gets one receipt key, also where processes start at the same time, and keeps everything else', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => localSecrets(directory)))
    expect(kidsOf(await localSecrets(directory))).toHaveLength(1)
    for (const one of all) expect(kidsOf(one)).toEqual(kidsOf(await localSecrets(directory)))
    const text = await readFile(path, 'utf8')
    expect(text.startsWith(older)).toBe(true)
    expect(text.slice(older.length)).toMatch(/^COUNTERSIGN_RECEIPT_KEYS=Ed25519:\S{43}\n$/)
    expect(await readdir(directory)).toEqual(['secrets.env'])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('gets the key that a start wrote before it crashed', async () => {
    const addition = `COUNTERSIGN_RECEIPT_KEYS=${generateReceiptKeyRing()}\n`
    await writeFile(`${path}.addition`, addition)
    await writeFile(path, older.trimEnd())
    await localSecrets(directory)
    expect(await readFile(path, 'utf8')).toBe(`${older}${addition}`)
    expect(await readdir(directory)).toEqual(['secrets.env'])
  })

  it('is read for diagnosis and not changed', async () => {
    expect(await findLocalSecrets(directory)).toMatchObject({ receiptKeys: undefined })
    expect(await readFile(path, 'utf8')).toBe(older)
  })

  it('keeps a receipt key that cannot be used, and is refused with one line', async () => {
    await writeFile(path, `${older}COUNTERSIGN_RECEIPT_KEYS=hunter2\n`)
    await expect(localSecrets(directory)).rejects.toMatchObject({
      lines: [`${path}: COUNTERSIGN_RECEIPT_KEYS entry 1 must have the form Ed25519:base64url or ES256:base64url`],
    })
    expect(await readFile(path, 'utf8')).toBe(`${older}COUNTERSIGN_RECEIPT_KEYS=hunter2\n`)
  })
})

it.each(['', '# a comment\n', '\n'])('a byte order mark before %j loses no secret', async (first) => {
  const secrets = await localSecrets(directory)
  const path = join(directory, 'secrets.env')
  const lines = (await readFile(path, 'utf8')).replace(/^#.*\n/, '')
  await writeFile(path, `\uFEFF${first}${lines}`)
  expect(await findLocalSecrets(directory)).toEqual(secrets)
  expect(await localSecrets(directory)).toEqual(secrets)
  await writeFile(path, `\uFEFF${first}${lines.trim().split('\n').toReversed().join('\n')}`)
  expect(await localSecrets(directory)).toEqual(secrets)
})

it('a broken file is refused with one line, and is not overwritten', async () => {
  await mkdir(directory)
  const path = join(directory, 'secrets.env')
  await writeFile(path, 'COUNTERSIGN_JWT_KEYS=hunter2\n')
  await expect(localSecrets(directory)).rejects.toMatchObject({
    name: 'StartupError',
    lines: [`${path}: COUNTERSIGN_JWT_KEYS entry 1 must have the form kid:base64url`],
  })
  expect(await readFile(path, 'utf8')).toBe('COUNTERSIGN_JWT_KEYS=hunter2\n')
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
