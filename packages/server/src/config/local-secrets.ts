import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { generateKeyRing, InvalidKeyRing, type KeyRing, parseKeyRing, systemRandom } from '@countersign/core'
import { failureCode, StartupError } from '../startup-error.ts'

/** Where everything is kept that is made on first run: secrets, and the embedded database. */
const localDirectory = '.countersign'

/** The two key rings that are made on first run outside production. */
export interface LocalSecrets {
  readonly jwtKeys: KeyRing
  readonly encryptionKeys: KeyRing
}

const freshSecrets = (): string =>
  [
    '# Made on first run. Whoever reads this file can sign in as anybody.',
    `COUNTERSIGN_JWT_KEYS=${generateKeyRing(systemRandom)}`,
    `COUNTERSIGN_ENCRYPTION_KEYS=${generateKeyRing(systemRandom)}`,
    '',
  ].join('\n')

/** The file appears whole, and once: of two processes that start at once, one makes it and both read it. */
const createOnce = async (path: string): Promise<void> => {
  const draft = `${path}.${process.pid}-${Buffer.from(systemRandom.bytes(6)).toString('hex')}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(freshSecrets())
      await file.sync()
    } finally {
      await file.close()
    }
    await link(draft, path)
  } catch (error) {
    if (failureCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
}

const unusable = (path: string, cause: unknown): StartupError =>
  new StartupError([`${path}: cannot be read or made (${failureCode(cause)})`], { cause })

const readIfThere = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return undefined
    throw unusable(path, error)
  }
}

const readOrCreate = async (directory: string, path: string): Promise<string> => {
  const there = await readIfThere(path)
  if (there !== undefined) return there
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await createOnce(path)
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw unusable(path, cause)
  }
}

const ringFrom = (path: string, name: string, text: string | undefined): KeyRing => {
  try {
    return parseKeyRing(text ?? '', { exactly: name === 'COUNTERSIGN_ENCRYPTION_KEYS' })
  } catch (cause) {
    const why = cause instanceof InvalidKeyRing ? cause.message : failureCode(cause)
    throw new StartupError([`${path}: ${name} ${why}`], { cause })
  }
}

const pathIn = (directory: string): string => join(directory, 'secrets.env')

const secretsFrom = (path: string, text: string): LocalSecrets => {
  const { COUNTERSIGN_JWT_KEYS: jwt, COUNTERSIGN_ENCRYPTION_KEYS: encryption } = parseEnv(text)
  return {
    jwtKeys: ringFrom(path, 'COUNTERSIGN_JWT_KEYS', jwt),
    encryptionKeys: ringFrom(path, 'COUNTERSIGN_ENCRYPTION_KEYS', encryption),
  }
}

/**
 * The secrets of a machine where none were given, made on first use. For development: a server in production is given
 * its keys. @throws StartupError
 */
export const localSecrets = async (directory = localDirectory): Promise<LocalSecrets> => {
  const path = pathIn(directory)
  return secretsFrom(path, await readOrCreate(directory, path))
}

/** The same, `undefined` where none were made yet. For diagnosis. @throws StartupError */
export const findLocalSecrets = async (directory = localDirectory): Promise<LocalSecrets | undefined> => {
  const path = pathIn(directory)
  const there = await readIfThere(path)
  return there === undefined ? undefined : secretsFrom(path, there)
}

/** A file of secrets that other users of the machine may read or write. */
export interface ExposedSecrets {
  readonly path: string
  /** As `chmod` writes it. */
  readonly mode: string
}

/** The file of secrets where its mode lets others in; `undefined` where it does not, or there is none. For diagnosis. */
export const findExposedSecrets = async (directory = localDirectory): Promise<ExposedSecrets | undefined> => {
  const path = pathIn(directory)
  // Windows has no such modes.
  if (process.platform === 'win32') return undefined
  try {
    const mode = (await stat(path)).mode & 0o777
    return (mode & 0o077) === 0 ? undefined : { path, mode: mode.toString(8).padStart(3, '0') }
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return undefined
    throw unusable(path, error)
  }
}
