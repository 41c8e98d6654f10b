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
  type PasswordHasher,
  parseKeyRing,
  systemRandom,
} from '@countersign/core'
import { openStorage } from '@countersign/server'
import { compileCache } from '../../../tools/testing/compile-cache.ts'
import { freePort } from '../../../tools/testing/free-port.ts'
import { repository } from '../../../tools/workspace.ts'
import type { Bench, Kind } from './bench.ts'

/** Accepts every password. Filling a database needs thousands of logins, whose passwords are not measured. */
const openDoor: PasswordHasher = { ...argon2Hasher(), verify: async () => true, isOutdated: () => false }

/** Opens the core on a new database. It accepts every password. The caller closes the storage. */
export const openCore = async (bench: Bench, kind: Kind, others?: Pick<CountersignConfig, 'receipts'>) => {
  const url = await bench.createDatabase(kind)
  const storage = await openStorage(url)
  const [jwtKeys, encryptionKeys] = [generateKeyRing(systemRandom), generateKeyRing(systemRandom)]
  const countersign = createCountersign({
    storage,
    jwtKeys: parseKeyRing(jwtKeys),
    encryptionKeys: parseKeyRing(encryptionKeys, { exactly: true }),
    passwords: openDoor,
    options: { rateLimits: 'off' },
    ...others,
  })
  return { storage, countersign, database: { url, jwtKeys, encryptionKeys } }
}

/** A migrated database with the keys of its servers. */
type BenchDatabase = Awaited<ReturnType<typeof openCore>>['database']

export const fillDatabase = async <T>(bench: Bench, kind: Kind, fill: (countersign: Countersign) => Promise<T>) => {
  const { countersign, database, storage } = await openCore(bench, kind)
  const filled = await fill(countersign)
  await storage.close()
  return { database, filled }
}

/** For benchmarks with more requests of one user or address than the limits allow. */
export const noRateLimits = { COUNTERSIGN_RATE_LIMITS: 'off' }

/** Starts the built `countersign serve`. `startedAfter` is the time to its first successful response. */
export const startCountersign = async (
  { directory, own, share }: Bench,
  { url: databaseUrl, jwtKeys, encryptionKeys }: BenchDatabase,
  environment: Readonly<Record<string, string>> = {},
) => {
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
      ...(share < 1 && compileCache),
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
