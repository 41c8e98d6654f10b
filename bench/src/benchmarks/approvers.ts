import type { MigratedStorage } from '@countersign/core'
import { openStorage } from '@countersign/server'
import Sqlite from 'better-sqlite3'
import { type Bench, query, scaled } from '../harness/bench.ts'
import { openCore, sqliteFile } from '../harness/countersign.ts'
import { type Figure, figures } from '../measure.ts'
import { holdDevice } from '../seeds.ts'

/** The first id of the copied users, behind all users that the core makes. */
const FIRST_ID = 10_000_000
const RUNS = 21
const DAY = 86_400_000

/** A range of copied users, of whom each holds a permission of the name of the group. */
interface Group {
  readonly of: 'trusted' | 'without' | 'cooling' | 'disabled'
  readonly from: number
  readonly users: number
}

/** A million users without a device, and a tenth as many of each other kind. */
const groupsOf = (users: number): readonly Group[] => {
  const tenth = Math.ceil(users / 10)
  return [
    { of: 'without', from: FIRST_ID, users },
    { of: 'trusted', from: FIRST_ID + users, users: tenth },
    { of: 'cooling', from: FIRST_ID + users + tenth, users: tenth },
    { of: 'disabled', from: FIRST_ID + users + 2 * tenth, users: tenth },
  ]
}

/** Statements that copy the first user and the device into each group. `series` numbers the rows from 0. */
const copies = (
  groups: readonly Group[],
  { tables, overriding, series }: { tables: string; overriding: string; series: (count: number) => string },
): readonly string[] => {
  const userColumns =
    'name, employee_id, employee_name, employee_avatar_file_id, department_id, department_name, password_hash, version, created_at, updated_at'
  const deviceColumns = 'name, type, key_algorithm, created_at, updated_at, cooling_off'
  return groups.flatMap(({ of, from, users }) => {
    const later = of === 'cooling' ? `created_at + cast(${3650 * DAY} as bigint)` : 'created_at'
    const disabledAt = of === 'disabled' ? 'created_at' : 'null'
    return [
      `insert into ${tables}users (id, email, permissions, disabled_at, ${userColumns}) ${overriding}
       select ${from} + n, '${of}-' || n || '@bench.test', '["${of}.approve"]', ${disabledAt}, ${userColumns}
       from (select * from ${tables}users where id < ${FIRST_ID} limit 1) as original, ${series(users)}`,
      ...(of === 'without'
        ? []
        : [
            `insert into ${tables}devices (id, user_id, fingerprint, public_key, trusted_at, ${deviceColumns})
             select '${of}-' || n, ${from} + n, '${of}-' || n, public_key || '${of}-' || n, ${later}, ${deviceColumns}
             from (select * from ${tables}devices where user_id < ${FIRST_ID} limit 1) as original, ${series(users)}`,
          ]),
      // The stores keep no row of a disabled user.
      ...(of === 'disabled'
        ? []
        : [
            `insert into ${tables}permission_holders (user_id, permission, has_signer, asked_at)
             select ${from} + n, '${of}.approve', ${of === 'without' ? 0 : 1}, n from ${series(users)}`,
          ]),
    ]
  })
}

const fillSqlite = (path: string, groups: readonly Group[]): void => {
  const connection = new Sqlite(path)
  connection.pragma('synchronous = off')
  connection.pragma('cache_size = -500000')
  const series = (count: number) =>
    `(with recursive counted(n) as (select 0 union all select n + 1 from counted where n + 1 < ${count}) select n from counted) as numbers`
  for (const statement of copies(groups, { tables: 'countersign_', overriding: '', series })) connection.exec(statement)
  connection.close()
}

const fillPostgres = async (url: string, groups: readonly Group[]): Promise<void> => {
  const series = (count: number) => `generate_series(0, ${count - 1}) as n`
  await query(url, ...copies(groups, { tables: '', overriding: 'overriding system value', series }), 'vacuum analyze')
}

const cases = [
  ['100 of 100,000 holders', 'trusted.approve'],
  ['nobody holds the permission', 'nobody.approve'],
  ['a million holders without a trusted device', 'without.approve'],
  ['100,000 holders, all disabled', 'disabled.approve'],
] as const

const timed = async (runs: number, call: () => Promise<unknown>): Promise<readonly number[]> => {
  const times: number[] = []
  while (times.length < runs) {
    const begun = performance.now()
    await call()
    times.push(performance.now() - begun)
  }
  return times
}

const measureOn = async (bench: Bench, database: string, storage: MigratedStorage, fill: () => Promise<void> | void) => {
  await storage.migrate()
  const { userId } = await holdDevice(openCore(storage))
  bench.tell(`filling ${database}`)
  await fill()
  const now = Date.now()
  const find = (permission: string) => {
    const permissions = [permission, permission.replace(/\.\w+$/, '.*'), '*.*']
    return storage.users.approvers({ permissions, requestedBy: userId, now, limit: 100 })
  }
  const all: Figure[] = []
  for (const [what, permission] of cases) {
    all.push({ what: `${database}: ${what}`, unit: 'ms', values: await timed(RUNS, () => find(permission)), most: 50 })
  }
  const cooling = `${database}: 100,000 holders, all in a cooling-off period`
  const read = `${database}: what a read of \`pending\` adds for a user whom no request waits for`
  const waiting = () => storage.approvalRequests.waitingFor(userId, now, 100)
  all.push({ what: cooling, unit: 'ms', values: await timed(3, () => find('cooling.approve')) })
  all.push({ what: read, unit: 'ms', values: await timed(RUNS, waiting) })
  return all
}

/** Measures how long the search for approvers takes among many users. */
export const approvers = figures({
  name: 'approvers',
  title: 'Approvers among a million users',
  about:
    'The search for at most 100 approvers of one group in the storage: those who hold the permission or a wildcard of it, with a trusted device. A million users have no device. 100,000 others each have a trusted device, have one in its cooling-off period, or are disabled. All users of a kind hold a permission of their own. Users in a cooling-off period are passed over one by one, so many of them at once take longer; no target covers that.',
  measure: async (bench) => {
    const groups = groupsOf(scaled(bench, 1_000_000))
    const path = sqliteFile(bench, 'approvers')
    const sqlite = bench.own(await openStorage(`sqlite:${path}`))
    const onSqlite = await measureOn(bench, 'SQLite', sqlite, () => fillSqlite(path, groups))
    const url = await bench.createPostgresDatabase()
    const postgres = bench.own(await openStorage(url))
    const onPostgres = await measureOn(bench, 'PostgreSQL', postgres, () => fillPostgres(url, groups))
    return [...onSqlite, ...onPostgres]
  },
})
