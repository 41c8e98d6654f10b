import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  argon2Hasher,
  type Countersign,
  type CountersignConfig,
  createCountersign,
  generateKeyRing,
  type MigratedStorage,
  type PasswordHasher,
  parseKeyRing,
  type Storage,
  systemRandom,
} from '@countersign/core'
import { openStorage } from '@countersign/server'
import { freePort } from '../../../tools/testing/free-port.ts'
import { repository } from '../../../tools/workspace.ts'
import type { Address, Bench } from './bench.ts'

/** A migrated database with the keys of its servers. */
export interface BenchDatabase {
  /** The address, as in `COUNTERSIGN_DATABASE_URL`. */
  readonly url: string
  readonly jwtKeys: string
  readonly encryptionKeys: string
}

/** The core on a database, which is filled before a server opens it. */
interface Seeding {
  readonly countersign: Countersign
  readonly storage: MigratedStorage
  /** The same core, except that a refresh stores nothing, so that a refresh token stays valid. */
  readonly withoutRotation: () => Countersign
}

/** Accepts every password. Filling a database needs thousands of logins, whose passwords are not measured. */
const openDoor: PasswordHasher = { ...argon2Hasher(), verify: async () => true, isOutdated: () => false }

/** Opens the core on a storage. It accepts every password. */
export const openCore = (storage: Storage, keys = newKeys(), others?: Pick<CountersignConfig, 'receipts'>): Countersign =>
  createCountersign({
    storage,
    jwtKeys: parseKeyRing(keys.jwtKeys),
    encryptionKeys: parseKeyRing(keys.encryptionKeys, { exactly: true }),
    passwords: openDoor,
    options: { rateLimits: 'off' },
    ...others,
  })

export const newKeys = () => ({ jwtKeys: generateKeyRing(systemRandom), encryptionKeys: generateKeyRing(systemRandom) })

/** Migrates a database and fills it. */
export const fillDatabase = async <T>(
  url: string,
  fill: (seeding: Seeding) => Promise<T>,
): Promise<{ readonly database: BenchDatabase; readonly filled: T }> => {
  const keys = newKeys()
  const storage = await openStorage(url)
  try {
    await storage.migrate()
    const withoutRotation = () => openCore({ ...storage, sessions: { ...storage.sessions, rotate: async () => true } }, keys)
    const filled = await fill({ countersign: openCore(storage, keys), storage, withoutRotation })
    return { database: { url, ...keys }, filled }
  } finally {
    await storage.close()
  }
}

/** Returns the file of a new SQLite database. */
export const sqliteFile = ({ directory }: Bench, name: string): string => join(directory, `${name}.db`)

/** For benchmarks with more requests of one user or address than the limits allow. */
export const noRateLimits = { COUNTERSIGN_RATE_LIMITS: 'off' }

export interface CountersignServer extends Address {
  /** Milliseconds from the start of the process to its first successful response. */
  readonly startedAfter: number
  readonly close: () => Promise<void>
}

/**
 * Starts the built `countersign serve` with its default configuration and the variables of `environment`. Its log goes to a file,
 * as in production. The bench closes it.
 */
export const startCountersign = async (
  { directory, own }: Bench,
  { url: databaseUrl, jwtKeys, encryptionKeys }: BenchDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<CountersignServer> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const log = openSync(join(directory, `${port}.log`), 'w')
  const startedAt = performance.now()
  const command = join(repository, 'packages', 'cli', 'dist', 'bin.js')
  const child = spawn(process.execPath, [command, 'serve', '--port', String(port)], {
    cwd: directory,
    env: {
      NODE_ENV: 'production',
      COUNTERSIGN_RECEIPTS: 'off',
      // Nothing sends requests to a server of a benchmark while it closes.
      COUNTERSIGN_DRAIN_SECONDS: '0',
      COUNTERSIGN_DATABASE_URL: databaseUrl,
      COUNTERSIGN_JWT_KEYS: jwtKeys,
      COUNTERSIGN_ENCRYPTION_KEYS: encryptionKeys,
      ...environment,
    },
    stdio: ['ignore', log, 'inherit'],
  })
  closeSync(log)
  const exited = once(child, 'exit')
  // The server would not end with this process by itself.
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const close = async (): Promise<void> => {
    child.kill()
    await exited
  }
  own({ close })
  const isWell = (): Promise<boolean> =>
    fetch(`${url}/health`)
      .then(({ ok }) => ok)
      .catch(() => false)
  while (!(await isWell())) {
    if (child.exitCode !== null || performance.now() - startedAt > 30_000) throw new Error('countersign serve did not start')
    await setTimeout(1)
  }
  return { url, pid: child.pid ?? 0, startedAfter: performance.now() - startedAt, close }
}
