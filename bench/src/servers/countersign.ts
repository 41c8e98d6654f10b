import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Bench } from '../harness/bench.ts'
import { end } from '../harness/calls.ts'
import type { BenchDatabase } from '../harness/database.ts'
import { freePort } from '../harness/free-port.ts'
import { commandFile, nodeArguments } from '../harness/program.ts'

const PATIENCE = 30_000

export interface CountersignServer {
  readonly url: string
  readonly pid: number
  /** Milliseconds from the start of the process to its first successful response. */
  readonly startedAfter: number
  close(): Promise<void>
}

/** For benchmarks with more requests of one user or address than the limits allow. */
export const noRateLimits = { COUNTERSIGN_RATE_LIMITS: 'off' }

/**
 * Starts `countersign serve` with its default configuration and the variables of `environment`. Its log goes to a file, as in
 * production. The bench closes it.
 */
export const startCountersign = async (
  bench: Pick<Bench, 'directory' | 'program' | 'own'>,
  database: BenchDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<CountersignServer> => {
  const { directory, program } = bench
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const log = openSync(join(directory, `${port}.log`), 'w')
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...nodeArguments(program), commandFile(program), 'serve', '--port', String(port)], {
    cwd: directory,
    env: {
      NODE_ENV: 'production',
      COUNTERSIGN_RECEIPTS: 'off',
      // Nothing sends requests to a server of a benchmark while it closes.
      COUNTERSIGN_DRAIN_SECONDS: '0',
      COUNTERSIGN_DATABASE_URL: database.url,
      COUNTERSIGN_JWT_KEYS: database.jwtKeys,
      COUNTERSIGN_ENCRYPTION_KEYS: database.encryptionKeys,
      ...environment,
    },
    stdio: ['ignore', log, 'inherit'],
  })
  closeSync(log)
  const { close } = bench.own({ close: () => end(child) })
  // The server would not end with this process by itself.
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() - startedAt > PATIENCE) {
      throw new Error('countersign serve did not start')
    }
    await setTimeout(1)
  }
  return { url, pid: child.pid ?? 0, startedAfter: performance.now() - startedAt, close }
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/health`)).ok
  } catch {
    return false
  }
}
