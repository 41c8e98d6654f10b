import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Countersign } from '@countersign/core'
import { openStorage } from '@countersign/server'
import pg from 'pg'
import type { Comparison, Growth, GrowthCall } from '../benchmark.ts'
import { type Bench, scaled } from '../harness/bench.ts'
import { fillDatabase, openCore, sqliteFile, startCountersign } from '../harness/countersign.ts'
import type { Contender } from '../harness/round.ts'
import type { program as rawSqlite } from '../programs/raw-sqlite.ts'
import { customerId, fillWithProjects, lists, projectToCreate } from '../projects.ts'
import { approvePayment, challengeSigner, confirmedAction, holdDevices, signInMany } from '../seeds.ts'

const OURS = 'Countersign, SQLite'
const RAW = 'raw statements, one transaction at a time'
const PROJECTS = 10_000

/** Fills a database with projects. Returns a token that may create more, and a function that copies the database. */
const openFilled = async (bench: Bench, name: string) => {
  const file = sqliteFile(bench, name)
  const { database, filled } = await fillDatabase(`sqlite:${file}`, async ({ countersign, storage }) => {
    await fillWithProjects(storage, scaled(bench, PROJECTS))
    return signInMany(countersign, { users: 1, sessions: 1 })
  })
  const copy = (suffix: string): string => {
    copyFileSync(file, file + suffix)
    return file + suffix
  }
  return { database, token: filled[0]?.accessToken ?? '', copy }
}

export const create: Comparison = {
  kind: 'comparison',
  name: 'create',
  title: 'Creating a project with five products, SQLite',
  about:
    'One operation: a project with five products is created durably beside 10 000 others, and its products are checked against their schema; 32 connections. The raw loop runs the same writes, prepared, in one transaction after another.',
  targets: [{ of: OURS, to: RAW, bound: 0.5, means: 'of the bare statements' }],
  open: async (bench) => {
    const { database, token, copy } = await openFilled(bench, 'create')
    const customer = customerId(7)
    const raw = await bench.contend<typeof rawSqlite>(RAW, 'raw-sqlite', { path: copy('.raw'), what: 'create', customer })
    const request = { method: 'POST', path: '/api/v1/projects', token, body: projectToCreate(customer) }
    const server = await startCountersign(bench, database)
    return [await bench.drive(OURS, server, 'requests', [request], { connections: 32 }), raw]
  },
}

const [ALL, NONE] = ['all indexes', 'no indexes']
const together = [
  ['1,000 rows per commit', 1000],
  ['1 row per commit', 1],
] as const

export const indexes: Comparison = {
  kind: 'comparison',
  name: 'indexes',
  title: 'Inserting a project row, SQLite',
  about:
    'One operation: a row is inserted durably beside 10 000 others, once with its keys, the indexes of all sorts and the trigram index of searches, and once into a table without any. A move between databases commits a thousand rows at a time, a request one row.',
  targets: together.map(([rows]) => {
    return {
      of: `${ALL}, ${rows}`,
      to: `${NONE}, ${rows}`,
      bound: 0.25,
      means: 'of the insert without indexes: at most 4 times as slow',
    }
  }),
  open: async (bench) => {
    const { copy } = await openFilled(bench, 'indexes')
    const opened: Contender[] = []
    for (const [rows, count] of together) {
      for (const kind of [ALL, NONE]) {
        const given = { path: copy(`.${opened.length}`), what: 'insert', isIndexed: kind === ALL, together: count } as const
        opened.push(await bench.contend<typeof rawSqlite>(`${kind}, ${rows}`, 'raw-sqlite', given))
      }
    }
    return opened
  },
}

/** Opens a database with this many projects in this process. */
const openLists = async (bench: Bench, count: number): Promise<Countersign['projects']> => {
  const path = join(bench.projects.keepIn ?? bench.directory, `${count}.db`)
  const isNew = !existsSync(path)
  const storage = bench.own(await openStorage(`sqlite:${path}`))
  await storage.migrate()
  bench.tell(`opening a database with ${count.toLocaleString('en')} projects`)
  if (isNew) await fillWithProjects(storage, count)
  return openCore(storage).projects
}

export const projectLists: Growth = {
  kind: 'growth',
  name: 'lists',
  title: 'Lists and searches of projects, SQLite',
  about:
    'Milliseconds for a page of ten projects with its exact total, through the core; the first time in parentheses. A search whose total is not cached uses another text each time.',
  repeats: 21,
  open: async (bench) => {
    const sizes = bench.projects.sizes.map((size) => scaled(bench, size))
    const opened: Countersign['projects'][] = []
    for (const size of sizes) opened.push(await openLists(bench, size))
    const calls: GrowthCall[] = []
    for (const { page, ...list } of lists) {
      const totals: number[] = []
      // A page past the end has the total, and no rows of the list are cached yet.
      for (const [at, projects] of opened.entries()) {
        const { total } = await projects.list({ ...page(sizes[at] ?? 0, 0, 0), page: 1_000_000_000, caller: 'admin' })
        totals.push(total)
      }
      const call: GrowthCall['call'] = async (at, run) =>
        opened[at]?.list({ ...page(sizes[at] ?? 0, totals[at] ?? 0, run), caller: 'admin' })
      calls.push({ ...list, call })
    }
    return { sizes, calls }
  },
}

const CONFIRMATIONS_PER_USER = 5
/** The first id of the copied users, behind all users that the core makes. */
const FIRST_ID = 10_000_000
/** Copies the rows of the first user on PostgreSQL. A copy differs in its keys and in the time of its creation. */
const copyRows = (table: string, count: string, changes: string) =>
  `insert into ${table} ${table === 'users' ? 'overriding system value' : ''}
   select copy.* from (select * from ${table} limit 1) as original, generate_series(1, ${count}) as n,
     lateral jsonb_populate_record(null::${table}, to_jsonb(original) || jsonb_build_object(${changes})) as copy`
const copies = (users: number): readonly string[] => [
  copyRows('users', `${users}`, `'id', ${FIRST_ID} + n, 'email', 'copy-' || n || '@bench.test'`),
  copyRows(
    'sessions',
    `${users}`,
    `'id', gen_random_uuid(), 'user_id', ${FIRST_ID} + n, 'refresh_token_id', gen_random_uuid(), 'created_at', original.created_at - n`,
  ),
  copyRows(
    'devices',
    `${users}`,
    `'id', gen_random_uuid(), 'user_id', ${FIRST_ID} + n, 'fingerprint', 'copy-' || n || '-fingerprint'`,
  ),
  copyRows(
    'confirmations',
    `${users * CONFIRMATIONS_PER_USER}`,
    `'id', 'conf_' || gen_random_uuid(), 'user_id', ${FIRST_ID} + 1 + n % ${users}, 'created_at', original.created_at - n`,
  ),
  'vacuum analyze',
]

type Calls = Readonly<Record<string, () => Promise<unknown>>>

/** Opens a PostgreSQL database with this many users. Returns the measured calls, in the name of one user with a device. */
const openManyRows = async (bench: Bench, users: number): Promise<Calls> => {
  const url = await bench.createPostgresDatabase()
  const storage = bench.own(await openStorage(url))
  await storage.migrate()
  const countersign = openCore(storage)
  const { auth, confirmations, devices, mobile } = countersign
  const [device] = await holdDevices(countersign, 1)
  if (device === undefined) throw new Error('no device was made')
  const { deviceFingerprint } = device
  const caller = await auth.authenticate({ token: device.accessToken })
  const confirmationId = await approvePayment(countersign, device)
  bench.tell(`filling a database with ${users.toLocaleString('en')} users`)
  const client = new pg.Client({ connectionString: url, options: '-c search_path=countersign -c synchronous_commit=off' })
  await client.connect()
  for (const statement of copies(users)) await client.query(statement)
  await client.end()
  const sign = challengeSigner(device)
  let { refreshToken } = device
  return {
    'a device logs in': async () => {
      const { id: sessionId, challenge } = await mobile.beginLogin({ deviceFingerprint })
      await mobile.finishLogin({ sessionId, signedChallenge: sign(challenge) })
    },
    'a token is refreshed': async () => {
      ;({ refreshToken } = await mobile.refresh({ refreshToken }))
    },
    'an action is asked for and approved': async () => {
      const { id, challenge } = await confirmations.initiate({ caller, ...confirmedAction })
      const signedChallenge = sign(challenge)
      await confirmations.approve({ caller, confirmationId: id, deviceId: device.deviceId, signedChallenge })
    },
    'a confirmation is read': () => confirmations.status({ caller, confirmationId }),
    'the pending confirmations are listed': () => confirmations.pending({ caller }),
    'the devices of a user are listed': () => devices.list({ caller }),
    'a sweep looks for rows to delete': () => countersign.sweep(),
  }
}

export const manyRows: Growth = {
  kind: 'growth',
  name: 'many-rows',
  title: 'Calls beside many rows, PostgreSQL',
  about: `Milliseconds for a call through the core, one after another, on a database with this many users; the first time in parentheses. Each user has a session, a device and ${CONFIRMATIONS_PER_USER} confirmations. All writes are durable.`,
  repeats: 201,
  open: async (bench) => {
    const sizes = [200, 1_000_000].map((size) => scaled(bench, size))
    const opened: Calls[] = []
    for (const size of sizes) opened.push(await openManyRows(bench, size))
    const bound = { times: 1.5, comparedTo: 200 }
    return {
      sizes,
      calls: Object.keys(opened[0] ?? {}).map((what) => ({ what, bound, call: async (at) => opened[at]?.[what]?.() })),
    }
  },
}
