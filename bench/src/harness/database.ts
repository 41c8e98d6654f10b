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

/** A migrated database with the keys of its servers. */
export interface BenchDatabase {
  /** The address, as in `COUNTERSIGN_DATABASE_URL`. */
  readonly url: string
  readonly jwtKeys: string
  readonly encryptionKeys: string
}

/** The core on a database, which is filled before a server opens it. */
export interface Seeding {
  readonly countersign: Countersign
  readonly storage: MigratedStorage
  /** The same core, except that a refresh stores nothing, so that a refresh token stays valid. */
  readonly withoutRotation: () => Countersign
}

/** Accepts every password. Filling a database needs thousands of logins, whose passwords are not measured. */
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

/** Returns the file of a SQLite database. */
export const pathOf = ({ url }: BenchDatabase): string => url.slice('sqlite:'.length)
