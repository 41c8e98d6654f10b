import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Countersign, createCountersign, generateKeyRing, parseKeyRing, systemRandom } from '@countersign/core'
import { openStorage } from '@countersign/server'
import { type Bench, scaled } from '../harness/bench.ts'
import { type List, lists } from '../lists/lists.ts'
import { generateProjects } from '../lists/projects.ts'
import type { Growth, GrowthRow } from './benchmark.ts'

const REPEATS = 21

type Projects = Countersign['projects']

/** A database with this many projects, opened by this process. */
interface Sized {
  readonly count: number
  readonly projects: Projects
}

const aKeyRing = () => parseKeyRing(generateKeyRing(systemRandom), { exactly: true })

const openSized = async (bench: Bench, count: number): Promise<Sized> => {
  const path = join(bench.projects.keepIn ?? bench.directory, `${count}.db`)
  const isNew = !existsSync(path)
  const storage = bench.own(await openStorage(`sqlite:${path}`))
  await storage.migrate()
  if (isNew) {
    bench.tell(`filling a database with ${count.toLocaleString('en')} projects`)
    await generateProjects(storage, count)
  }
  return { count, projects: createCountersign({ storage, jwtKeys: aKeyRing(), encryptionKeys: aKeyRing() }).projects }
}

/** Returns the number of projects on the list. It reads a page past the end, so that no rows of the list are cached yet. */
const countOf = async (projects: Projects, input: object): Promise<number> => {
  const { total } = await projects.list({ ...input, page: 1_000_000_000, actor: 'admin' })
  return total
}

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Reads the list at each size in turn, A B A B. */
const measureList = async ({ name, page, bound, most }: List, sized: readonly Sized[], repeats: number): Promise<GrowthRow> => {
  const totals: number[] = []
  for (const { count, projects } of sized) totals.push(await countOf(projects, page(count, 0, 0)))
  const ask = (at: number, run: number) => {
    const { count, projects } = sized[at] as Sized
    return timeOf(() => projects.list({ ...page(count, totals[at] ?? 0, run), actor: 'admin' }))
  }
  const first: number[] = []
  for (const at of sized.keys()) first.push(await ask(at, 0))
  const times = sized.map((): number[] => [])
  for (let run = 1; run <= repeats; run += 1) {
    for (const at of sized.keys()) times[at]?.push(await ask(at, run))
  }
  return { what: name, first, times, ...(bound && { bound }), ...(most && { most }) }
}

export const projectLists: Growth = {
  kind: 'growth',
  name: 'lists',
  title: 'Lists and searches of projects, SQLite',
  about:
    'Milliseconds for a page of ten projects with its exact total, through the core; the first time in parentheses. A search whose total is not cached uses another text each time.',
  measure: async (bench) => {
    const sizes = bench.projects.sizes.map((size) => scaled(bench, size))
    const sized: Sized[] = []
    for (const size of sizes) sized.push(await openSized(bench, size))
    const rows: GrowthRow[] = []
    for (const list of lists) {
      bench.tell(list.name)
      rows.push(await measureList(list, sized, scaled(bench, REPEATS)))
    }
    return { sizes, rows }
  },
}
