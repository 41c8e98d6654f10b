import pg from 'pg'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { type Methods, startWorker, type Worker } from './calls.ts'
import { nodeArguments, type Program } from './program.ts'
import { createScratch, removeScratch } from './scratch.ts'
import type { Turns } from './take-turns.ts'

/** What a benchmark works with. Everything it opens is closed with the bench, the last first. */
export interface Bench {
  readonly turns: Turns
  /** On a disk, and gone afterwards. */
  readonly directory: string
  /** How much smaller than in earnest everything may be, from 0 to 1: a test that only wants to see it run asks for little. */
  readonly share: number
  /** Whether requests are sent by `wrk`, which must be installed, rather than by autocannon. */
  readonly wrk: boolean
  /** Of how many projects lists are asked for, and where those databases stay, to be used again. */
  readonly projects: { readonly sizes: readonly number[]; readonly keepIn?: string }
  readonly program: Program
  /** Is told what is done just now, in a few words: a whole run takes long. */
  readonly tell: (what: string) => void
  /** Runs a script of ours, named by its path within `src`. */
  startWorker<M extends Methods>(script: string): Worker<M>
  /** Whether the machine's cores are kept from sleeping meanwhile. */
  readonly awake: boolean
  own<T extends { close(): Promise<unknown> }>(thing: T): T
  /** The URL of a new database on a PostgreSQL server of this bench, which is as durable as one in production. */
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

/** Of `count`, the share that the bench asks for; at least one. */
export const scaled = ({ share }: Pick<Bench, 'share'>, count: number): number => Math.max(1, Math.round(count * share))
