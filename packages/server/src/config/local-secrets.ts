import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import {
  generateKeyRing,
  generateReceiptKeyRing,
  InvalidKeyRing,
  type KeyRing,
  parseKeyRing,
  parseReceiptKeyRing,
  type ReceiptKeyRing,
  systemRandom,
} from '@countersign/core'
import { failureReason } from '../failure-reason.ts'
import { failureCode, StartupError } from '../startup-error.ts'
import { createOnce, readIfExists } from './create-once.ts'

/** The directory for everything that the first run creates: the secrets and the SQLite database. */
const localDirectory = '.countersign'

/** The key rings that the first run outside production creates. */
export interface LocalSecrets {
  readonly jwtKeys: KeyRing
  readonly encryptionKeys: KeyRing
  /** `undefined` if the environment has the two other rings only. */
  readonly receiptKeys: ReceiptKeyRing | undefined
}

const freshSecrets = (): string =>
  [
    '# Made on first run. Whoever reads this file can sign in as anybody.',
    `COUNTERSIGN_JWT_KEYS=${generateKeyRing(systemRandom)}`,
    `COUNTERSIGN_ENCRYPTION_KEYS=${generateKeyRing(systemRandom)}`,
    `COUNTERSIGN_RECEIPT_KEYS=${generateReceiptKeyRing()}\n`,
  ].join('\n')

const unusable = (path: string, cause: unknown): StartupError =>
  new StartupError([`${path}: cannot be read or made: ${failureReason(cause)}`], { cause })

/** Editors on Windows write a byte order mark, which Node would read as a part of the first name. */
const variablesIn = (text: string): NodeJS.Dict<string> => parseEnv(text.replace(/^\uFEFF/, ''))

/** Creates the file if it is missing. Returns the text of the file. */
const createAndRead = async (directory: string, path: string): Promise<string> => {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await createOnce(path, freshSecrets())
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw unusable(path, cause)
  }
}

const pathIn = (directory: string): string => join(directory, 'secrets.env')

const secretsFrom = (path: string, text: string): LocalSecrets => {
  const variables = variablesIn(text)
  const ring = <T>(name: string, parse: (text: string) => T): T => {
    try {
      return parse(variables[name] ?? '')
    } catch (cause) {
      const why = cause instanceof InvalidKeyRing ? cause.message : failureReason(cause)
      throw new StartupError([`${path}: ${name} ${why}`], { cause })
    }
  }
  return {
    jwtKeys: ring('COUNTERSIGN_JWT_KEYS', parseKeyRing),
    encryptionKeys: ring('COUNTERSIGN_ENCRYPTION_KEYS', (given) => parseKeyRing(given, { exactly: true })),
    receiptKeys: ring('COUNTERSIGN_RECEIPT_KEYS', parseReceiptKeyRing),
  }
}

/** Returns the secrets in `.countersign/` for diagnosis; `undefined` if the file is missing. @throws StartupError */
export const findLocalSecrets = async (directory = localDirectory): Promise<LocalSecrets | undefined> => {
  const path = pathIn(directory)
  const existing = await readIfExists(path).catch((cause: unknown) => {
    throw unusable(path, cause)
  })
  return existing === undefined ? undefined : secretsFrom(path, existing)
}

/** Returns the secrets in `.countersign/`, and creates them on first use, for development. @throws StartupError */
export const localSecrets = async (directory = localDirectory): Promise<LocalSecrets> => {
  const path = pathIn(directory)
  return (await findLocalSecrets(directory)) ?? secretsFrom(path, await createAndRead(directory, path))
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
  // The mode is not checked on Windows, which has no file modes of this kind.
  if (process.platform === 'win32') return undefined
  try {
    const mode = (await stat(path)).mode & 0o777
    return (mode & 0o077) === 0 ? undefined : { path, mode: mode.toString(8).padStart(3, '0') }
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return undefined
    throw unusable(path, error)
  }
}
