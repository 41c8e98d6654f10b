import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, scaled } from '../harness/bench.ts'
import { flooded, limit } from '../harness/contenders.ts'
import { fillDatabase, pathOf, sqliteUrl } from '../harness/database.ts'
import { customerId, generateProjects } from '../lists/projects.ts'
import type { CreateLimit, methods } from '../raw/create-sqlite.ts'
import { projectToCreate } from '../seeds/project-to-create.ts'
import { signInMany } from '../seeds/sign-in.ts'
import { startCountersign } from '../servers/countersign.ts'
import type { Comparison } from './benchmark.ts'

const PROJECTS = 10_000
const CONNECTIONS = 32
const CUSTOMER = customerId(7)

const OURS = 'Countersign, SQLite'
const RAW = 'raw statements, one transaction after another'

const openFilled = (bench: Bench, name: string) =>
  fillDatabase(sqliteUrl(bench.directory, name), async ({ countersign, storage }) => {
    await generateProjects(storage, scaled(bench, PROJECTS))
    const [pair] = await signInMany(countersign, { users: 1, sessions: 1 })
    return pair?.accessToken ?? ''
  })

/** The raw statements, on a copy of the database. */
const openRaw = (bench: Bench, name: string, original: string, what: CreateLimit['what']) => {
  const path = join(bench.directory, `${what}.db`)
  copyFileSync(original, path)
  return limit<typeof methods>(bench, name, 'create-sqlite', { path, customerId: CUSTOMER, what })
}

export const create: Comparison = {
  kind: 'comparison',
  name: 'create',
  title: 'A project with five products is created, SQLite',
  about:
    'One operation: a project is created with five products, checked against their schema, durably, beside 10 000 others; 32 connections. The raw loop runs the same writes, prepared, in one transaction after another.',
  targets: [{ of: OURS, to: RAW, bound: 0.5, means: 'of the bare statements' }],
  open: async (bench) => {
    const { database, filled: token } = await openFilled(bench, 'create')
    const raw = await openRaw(bench, RAW, pathOf(database), 'project')
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

const INDEXED = 'with all indexes'
const PLAIN = 'without indexes'

export const indexes: Comparison = {
  kind: 'comparison',
  name: 'indexes',
  title: 'A row of a project is inserted, SQLite',
  about:
    'One operation: a row is inserted beside 10 000 others, a thousand in each transaction; with the indexes of every sort and the trigram index of searches, and without any.',
  targets: [{ of: INDEXED, to: PLAIN, bound: 0.25, means: 'of the plain insert, so at most 4 times its time' }],
  open: async (bench) => {
    const { database } = await openFilled(bench, 'indexes')
    const path = pathOf(database)
    return [await openRaw(bench, INDEXED, path, 'row'), await openRaw(bench, PLAIN, path, 'plain row')]
  },
}
