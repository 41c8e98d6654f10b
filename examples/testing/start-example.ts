import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Countersign, createCountersign, generateKeyRing, parseKeyRing, systemRandom } from '@countersign/core'
import { openSqlite } from '@countersign/storage-sqlite'
import { compileCache } from '../../tools/testing/compile-cache.ts'
import { createDatabaseDirectory } from '../../tools/testing/create-database-directory.ts'

/** A folder with its own database, and the settings for it. */
export interface Workplace {
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  /** Works on the same database, as another process would. */
  withCountersign<T>(work: (countersign: Countersign) => Promise<T>): Promise<T>
  remove(): void
}

export const createWorkplace = (): Workplace => {
  const directory = createDatabaseDirectory('countersign-example-')
  const path = join(directory, 'countersign.db')
  const [jwt, encryption] = [generateKeyRing(systemRandom), generateKeyRing(systemRandom)]
  return {
    directory,
    env: {
      COUNTERSIGN_DATABASE_URL: `sqlite:${path}`,
      COUNTERSIGN_JWT_KEYS: jwt,
      COUNTERSIGN_ENCRYPTION_KEYS: encryption,
      COUNTERSIGN_LOG_LEVEL: 'silent',
      COUNTERSIGN_PORT: '0',
    },
    withCountersign: async (work) => {
      const storage = await openSqlite({ path })
      try {
        await storage.migrate()
        return await work(
          createCountersign({ storage, jwtKeys: parseKeyRing(jwt), encryptionKeys: parseKeyRing(encryption, { exactly: true }) }),
        )
      } finally {
        await storage.close()
      }
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

export interface RunningExample {
  readonly url: string
  /** Sends SIGTERM. Resolves with the exit code, or with the signal that ended the process. */
  stop(): Promise<number | NodeJS.Signals | null>
  /** Ends the process as `kill -9` does. */
  kill(): Promise<unknown>
}

/** A program that runs an example, with its arguments before the conditions of imports. */
export interface Runtime {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

export const node: Runtime = { name: 'Node', command: process.execPath, args: [] }

/** Runs an example as its README says, from the sources. Resolves when the example has printed its address. */
export const startExample = async (
  script: string,
  { directory, env }: Pick<Workplace, 'directory' | 'env'>,
  { command, args }: Runtime = node,
): Promise<RunningExample> => {
  const path = fileURLToPath(new URL(`../${script}`, import.meta.url))
  const child = spawn(command, [...args, '--conditions=@countersign/source', path], {
    cwd: directory,
    env: { ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const exited = once(child, 'close').then(([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? null)
  const listening = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const url = /http:\/\/[\d.]+:\d+/.exec(said)?.[0]
        if (url !== undefined) resolve(url)
      })
    }
  })
  const ended = exited.then((code) => Promise.reject(new Error(`${script} ended with ${code}: ${said}`)))
  const url = await Promise.race([listening, ended])
  // From here on, the end of the process is expected.
  ended.catch(() => {})
  return {
    url,
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
    kill: () => {
      child.kill('SIGKILL')
      return exited
    },
  }
}
