import pg from 'pg'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { type Methods, startWorker, type Worker } from './calls.ts'
import { nodeArguments, type Program } from './program.ts'
import { createScratch, removeScratch } from './scratch.ts'
import type { Turns } from './take-turns.ts'

/** The environment of a benchmark. Closing the bench closes everything that it opened, the last first. */
export interface Bench {
  readonly turns: Turns
  /** A folder on a disk, removed at the end. */
  readonly directory: string
  /** The size of everything, from 0 to 1, relative to a real run: a test that only runs a benchmark uses a small share. */
  readonly share: number
  /** True if `wrk`, which must be installed, sends the requests instead of autocannon. */
  readonly wrk: boolean
  /** The numbers of projects for lists, and the folder that keeps those databases for later runs. */
  readonly projects: { readonly sizes: readonly number[]; readonly keepIn?: string }
  readonly program: Program
  /** Receives a short description of the current step, because a whole run takes long. */
  readonly tell: (what: string) => void
  /** Runs one of our scripts, named by its path below `src`. */
  startWorker<M extends Methods>(script: string): Worker<M>
  /** True if the cores are kept awake during the benchmark. */
  readonly awake: boolean
  own<T extends { close(): Promise<unknown> }>(thing: T): T
  /** Returns the URL of a new database on a PostgreSQL server of this bench, with the durability of production. */
  createPostgresDatabase(): Promise<string>
}

export interface BenchOptions extends Pick<Bench, 'turns' | 'share' | 'wrk' | 'projects' | 'program' | 'awake' | 'tell'> {}

export interface OpenBench extends Bench {
  close(): Promise<void>
}

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

export const openBench = (options: BenchOptions): OpenBench => {
  const directory = createScratch()
  const owned: { close(): Promise<unknown> }[] = []
  const sweep = (): void => removeScratch(directory)
  process.once('exit', sweep)
  let server: Promise<string> | undefined
  let databases = 0

  const own = <T extends { close(): Promise<unknown> }>(thing: T): T => {
    owned.push(thing)
    return thing
  }

  const start = async (): Promise<string> => {
    const { url, remove } = await startPostgres({ settings: DURABLE })
    own({ close: remove })
    return url
  }

  return {
    ...options,
    directory,
    own,
    startWorker: (script) => own(startWorker(new URL(`../${script}`, import.meta.url), nodeArguments(options.program))),
    createPostgresDatabase: async () => {
      server ??= start()
      const url = await server
      databases += 1
      const name = `bench_${databases}`
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        await client.query(`create database ${name}`)
      } finally {
        await client.end()
      }
      return Object.assign(new URL(url), { pathname: `/${name}` }).href
    },
    close: async () => {
      for (const thing of owned.reverse()) await thing.close()
      sweep()
      process.off('exit', sweep)
    },
  }
}

/** Returns the share of `count` that the bench uses; at least one. */
export const scaled = ({ share }: Pick<Bench, 'share'>, count: number): number => Math.max(1, Math.round(count * share))
