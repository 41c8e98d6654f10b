import { type Bench, copyRow, query, scaled } from '../harness/bench.ts'
import { openCore } from '../harness/countersign.ts'
import { type GrowthCall, growth } from '../measure.ts'
import { fillWithProjects, lists } from '../projects.ts'
import { holdDevice } from '../seeds.ts'

/** Opens a database with this many projects in this process. */
const openLists = async (bench: Bench, count: number) => {
  const { countersign, storage } = await openCore(bench, 'SQLite')
  bench.own(storage)
  bench.tell(`filling a database with ${count.toLocaleString('en')} projects`)
  await fillWithProjects(storage, count)
  return { projects: countersign.projects, count }
}

export const projectLists = growth({
  name: 'lists',
  title: 'Lists and searches of projects, SQLite',
  about:
    'Milliseconds for a page of ten projects with its exact total, through the core; the first time in parentheses. A search whose total is not cached uses another text each time.',
  repeats: 21,
  open: async (bench) => {
    const sizes = [10_000, 100_000, 1_000_000].map((size) => scaled(bench, size))
    const opened: Awaited<ReturnType<typeof openLists>>[] = []
    for (const size of sizes) opened.push(await openLists(bench, size))
    const calls: GrowthCall[] = []
    for (const { page, ...list } of lists) {
      const at: ((run: number) => Promise<unknown>)[] = []
      for (const { projects, count } of opened) {
        // Reads the total from a page past the end. So no rows of the list are cached yet.
        const { total } = await projects.list({ ...page(count, 0, 0), page: 1_000_000_000, caller: 'admin' })
        at.push((run) => projects.list({ ...page(count, total, run), caller: 'admin' }))
      }
      calls.push({ ...list, at })
    }
    return { sizes, calls }
  },
})

const CONFIRMATIONS_PER_USER = 5

/** Opens a PostgreSQL database with this many users. Returns the measured calls, in the name of one user with a device. */
const openManyRows = async (bench: Bench, users: number): Promise<Readonly<Record<string, () => Promise<unknown>>>> => {
  const { countersign, storage, database } = await openCore(bench, 'PostgreSQL')
  bench.own(storage)
  const { approvalRequests, confirmations, devices, mobile } = countersign
  const { caller, sign, approve, deviceFingerprint, ...device } = await holdDevice(countersign)
  const confirmationId = await approve()
  bench.tell(`filling a database with ${users.toLocaleString('en')} users`)
  // The ids are greater than the ids of all users that the core creates.
  const ofUser = { id: 'gen_random_uuid()', user_id: '10000000 + n' }
  const created_at = 'original.created_at - n'
  await copyRow(database.url, 'users', users, { id: '10000000 + n', email: `'copy-' || n || '@bench.test'` })
  await copyRow(database.url, 'sessions', users, { ...ofUser, refresh_token_id: 'gen_random_uuid()', created_at })
  await copyRow(database.url, 'devices', users, { ...ofUser, fingerprint: `'copy-' || n || '-fingerprint'` })
  const confirmation = { id: `'conf_' || gen_random_uuid()`, user_id: `10000001 + n % ${users}`, created_at }
  await copyRow(database.url, 'confirmations', users * CONFIRMATIONS_PER_USER, confirmation)
  await query(database.url, 'vacuum analyze')
  let { refreshToken } = device
  return {
    'a token is refreshed': async () => {
      ;({ refreshToken } = await mobile.refresh({ refreshToken }))
    },
    'an action is asked for and approved': approve,
    'a confirmation is read': () => confirmations.status({ caller, confirmationId }),
    'the pending confirmations are listed': () => confirmations.pending({ caller }),
    'the history of a user is listed': () => confirmations.listOwn({ caller }),
    'the started approval requests of a user are listed': () => approvalRequests.listOwn({ caller }),
    'the devices of a user are listed': () => devices.list({ caller }),
    'a sweep looks for rows to delete': () => countersign.sweep(),
    // The last call: a user keeps 200 sessions, so these logins end the session of the other calls.
    'a device logs in': async () => {
      const { id: sessionId, challenge } = await mobile.beginLogin({ deviceFingerprint })
      await mobile.finishLogin({ sessionId, signedChallenge: sign(challenge) })
    },
  }
}

export const manyRows = growth({
  name: 'many-rows',
  title: 'Calls beside many rows, PostgreSQL',
  about: `Milliseconds for a call through the core, one after another, on a database with this many users; the first time in parentheses. Each user has a session, a device and ${CONFIRMATIONS_PER_USER} confirmations. All writes are durable.`,
  repeats: 201,
  open: async (bench) => {
    const sizes = [200, 1_000_000].map((size) => scaled(bench, size))
    const [few, many] = [await openManyRows(bench, sizes[0] ?? 0), await openManyRows(bench, sizes[1] ?? 0)]
    const calls = Object.entries(few).map(([what, call]) => ({
      ...{ what, bound: { most: 1.5, comparedTo: 200 } },
      at: [call, many[what] ?? call],
    }))
    return { sizes, calls }
  },
})
