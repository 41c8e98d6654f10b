import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, scaled } from '../harness/bench.ts'
import type { Contender } from '../harness/contender.ts'
import { flooded, limit } from '../harness/contenders.ts'
import { fillDatabase, pathOf, sqliteUrl } from '../harness/database.ts'
import { customerId, generateProjects } from '../lists/projects.ts'
import type { methods as createMethods } from '../raw/create-sqlite.ts'
import type { InsertLimit, methods as insertMethods } from '../raw/insert-sqlite.ts'
import { projectToCreate } from '../seeds/project-to-create.ts'
import { signInMany } from '../seeds/sign-in.ts'
import { startCountersign } from '../servers/countersign.ts'
import type { Comparison } from './benchmark.ts'

const PROJECTS = 10_000
const CONNECTIONS = 32
const CUSTOMER = customerId(7)

const OURS = 'Countersign, SQLite'
const RAW = 'raw statements, one transaction at a time'

const openFilled = (bench: Bench, name: string) =>
  fillDatabase(sqliteUrl(bench.directory, name), async ({ countersign, storage }) => {
    await generateProjects(storage, scaled(bench, PROJECTS))
    const [pair] = await signInMany(countersign, { users: 1, sessions: 1 })
    return pair?.accessToken ?? ''
  })

/** Returns a copy of a database for one contender. */
const copyOf = (bench: Bench, original: string, name: string): string => {
  const path = join(bench.directory, `${name}.db`)
  copyFileSync(original, path)
  return path
}

export const create: Comparison = {
  kind: 'comparison',
  name: 'create',
  title: 'Creating a project with five products, SQLite',
  about:
    'One operation: a project with five products is created durably beside 10 000 others, and its products are checked against their schema; 32 connections. The raw loop runs the same writes, prepared, in one transaction after another.',
  targets: [{ of: OURS, to: RAW, bound: 0.5, means: 'of the bare statements' }],
  open: async (bench) => {
    const { database, filled: token } = await openFilled(bench, 'create')
    const path = copyOf(bench, pathOf(database), 'raw')
    const raw = await limit<typeof createMethods>(bench, RAW, 'create-sqlite', { path, customerId: CUSTOMER })
    const server = await startCountersign(bench, database)
    const request = {
      method: 'POST' as const,
      path: '/api/v1/projects',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(projectToCreate(CUSTOMER)),
    }
    return [await flooded(bench, { name: OURS, ...server }, [request], CONNECTIONS), raw]
  },
}

const THOUSAND = 'all indexes, 1,000 rows per commit'
const PLAIN_THOUSAND = 'no indexes, 1,000 rows per commit'
const ALONE = 'all indexes, 1 row per commit'
const PLAIN_ALONE = 'no indexes, 1 row per commit'

const inserts = [
  { name: THOUSAND, isIndexed: true, together: 1000 },
  { name: PLAIN_THOUSAND, isIndexed: false, together: 1000 },
  { name: ALONE, isIndexed: true, together: 1 },
  { name: PLAIN_ALONE, isIndexed: false, together: 1 },
] as const

const means = 'of the insert without indexes: at most 4 times as slow'

export const indexes: Comparison = {
  kind: 'comparison',
  name: 'indexes',
  title: 'Inserting a project row, SQLite',
  about:
    'One operation: a row is inserted durably beside 10 000 others, once with its keys, the indexes of all sorts and the trigram index of searches, and once into a table without any. A move between databases commits a thousand rows at a time, a request one row.',
  targets: [
    { of: THOUSAND, to: PLAIN_THOUSAND, bound: 0.25, means },
    { of: ALONE, to: PLAIN_ALONE, bound: 0.25, means },
  ],
  open: async (bench) => {
    const { database } = await openFilled(bench, 'indexes')
    const opened: Contender[] = []
    for (const [index, { name, ...what }] of inserts.entries()) {
      const given: InsertLimit = { path: copyOf(bench, pathOf(database), `indexes-${index}`), ...what }
      opened.push(await limit<typeof insertMethods>(bench, name, 'insert-sqlite', given))
    }
    return opened
  },
}
