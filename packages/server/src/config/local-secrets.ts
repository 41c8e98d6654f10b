import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { generateKeyRing, InvalidKeyRing, type KeyRing, parseKeyRing, systemRandom } from '@countersign/core'
import { failureCode, StartupError } from '../startup-error.ts'

/** The directory for everything that the first run creates: the secrets and the SQLite database. */
const localDirectory = '.countersign'

/** The two key rings that the first run outside production creates. */
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

/**
 * Creates the file in one step, so that no process reads a part of the file. If two processes start at the same time, one creates
 * the file and both read the same file.
 */
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

const readIfExists = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return undefined
    throw unusable(path, error)
  }
}

const readOrCreate = async (directory: string, path: string): Promise<string> => {
  const existing = await readIfExists(path)
  if (existing !== undefined) return existing
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
 * Returns the secrets in `.countersign/`, and creates them on first use. For development: in production, the environment
 * contains the keys.
 *
 * @throws StartupError
 */
export const localSecrets = async (directory = localDirectory): Promise<LocalSecrets> => {
  const path = pathIn(directory)
  return secretsFrom(path, await readOrCreate(directory, path))
}

/**
 * Returns the secrets in `.countersign/`, for diagnosis. Creates nothing: returns `undefined` where the file is missing.
 *
 * @throws StartupError
 */
export const findLocalSecrets = async (directory = localDirectory): Promise<LocalSecrets | undefined> => {
  const path = pathIn(directory)
  const existing = await readIfExists(path)
  return existing === undefined ? undefined : secretsFrom(path, existing)
}

/** A file with secrets that other users of the machine can read or write. */
export interface ExposedSecrets {
  readonly path: string
  /** The octal mode of the file, as `chmod` takes it. */
  readonly mode: string
}

/** Returns the file with secrets if other users can access it, for diagnosis. `undefined` if they cannot, or without a file. */
export const findExposedSecrets = async (directory = localDirectory): Promise<ExposedSecrets | undefined> => {
  const path = pathIn(directory)
  // Windows has no file modes of this kind.
  if (process.platform === 'win32') return undefined
  try {
    const mode = (await stat(path)).mode & 0o777
    return (mode & 0o077) === 0 ? undefined : { path, mode: mode.toString(8).padStart(3, '0') }
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return undefined
    throw unusable(path, error)
  }
}
