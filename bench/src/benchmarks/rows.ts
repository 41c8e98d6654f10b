import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Countersign } from '@countersign/core'
import { openStorage } from '@countersign/server'
import { type Bench, query, scaled } from '../harness/bench.ts'
import { openCore } from '../harness/countersign.ts'
import { type GrowthCall, growth } from '../measure.ts'
import { fillWithProjects, lists } from '../projects.ts'
import { approvePayment, challengeSigner, confirmedAction, holdDevice } from '../seeds.ts'

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

export const projectLists = growth({
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
})

const CONFIRMATIONS_PER_USER = 5
/** The first id of the copied users, behind all users that the core makes. */
const FIRST_ID = 10_000_000
/** Copies the rows of the first user on PostgreSQL. A copy differs in its keys and in the time of its creation. */
const copyRows = (table: string, count: number, changes: string) =>
  `insert into ${table} ${table === 'users' ? 'overriding system value' : ''}
   select copy.* from (select * from ${table} limit 1) as original, generate_series(1, ${count}) as n,
     lateral jsonb_populate_record(null::${table}, to_jsonb(original) || jsonb_build_object(${changes})) as copy`
const OF_USER = `'id', gen_random_uuid(), 'user_id', ${FIRST_ID} + n`
const copies = (users: number): readonly string[] => [
  copyRows('users', users, `'id', ${FIRST_ID} + n, 'email', 'copy-' || n || '@bench.test'`),
  copyRows('sessions', users, `${OF_USER}, 'refresh_token_id', gen_random_uuid(), 'created_at', original.created_at - n`),
  copyRows('devices', users, `${OF_USER}, 'fingerprint', 'copy-' || n || '-fingerprint'`),
  copyRows(
    'confirmations',
    users * CONFIRMATIONS_PER_USER,
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
  const device = await holdDevice(countersign)
  const { deviceFingerprint } = device
  const caller = await auth.authenticate({ token: device.accessToken })
  const confirmationId = await approvePayment(countersign, device)
  bench.tell(`filling a database with ${users.toLocaleString('en')} users`)
  await query(url, ...copies(users))
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

export const manyRows = growth({
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
})
