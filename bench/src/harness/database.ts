import { join } from 'node:path'
import {
  argon2Hasher,
  type Countersign,
  createCountersign,
  generateKeyRing,
  type MigratedStorage,
  type PasswordHasher,
  parseKeyRing,
  type Storage,
  systemRandom,
} from '@countersign/core'
import { openStorage } from '@countersign/server'

/** A migrated database, and the keys of the servers on it. */
export interface BenchDatabase {
  /** As `COUNTERSIGN_DATABASE_URL` has it. */
  readonly url: string
  readonly jwtKeys: string
  readonly encryptionKeys: string
}

/** The core on a database, as it is filled before a server opens it. */
export interface Seeding {
  readonly countersign: Countersign
  readonly storage: MigratedStorage
  /** The same core, but that a refresh token stays good when it is spent: nothing of a refresh is kept. */
  readonly withoutRotation: () => Countersign
}

/** Lets everybody in: what is filled needs thousands of logins, and their passwords are not what is measured. */
const openDoor: PasswordHasher = {
  hash: (password) => argon2Hasher().hash(password),
  verify: async () => true,
  isOutdated: () => false,
}

const newKeys = () => ({ jwtKeys: generateKeyRing(systemRandom), encryptionKeys: generateKeyRing(systemRandom) })

/** Migrates a database and fills it. */
export const fillDatabase = async <T>(
  url: string,
  fill: (seeding: Seeding) => Promise<T>,
): Promise<{ readonly database: BenchDatabase; readonly filled: T }> => {
  const keys = newKeys()
  const storage = await openStorage(url)
  try {
    await storage.migrate()
    const on = (stores: Storage): Countersign =>
      createCountersign({
        storage: stores,
        jwtKeys: parseKeyRing(keys.jwtKeys),
        encryptionKeys: parseKeyRing(keys.encryptionKeys, { exactly: true }),
        passwords: openDoor,
      })
    const withoutRotation = () => on({ ...storage, sessions: { ...storage.sessions, rotate: async () => true } })
    return { database: { url, ...keys }, filled: await fill({ countersign: on(storage), storage, withoutRotation }) }
  } finally {
    await storage.close()
  }
}

export const sqliteUrl = (directory: string, name: string): string => `sqlite:${join(directory, `${name}.db`)}`

/** The file of a SQLite database. */
export const pathOf = ({ url }: BenchDatabase): string => url.slice('sqlite:'.length)
