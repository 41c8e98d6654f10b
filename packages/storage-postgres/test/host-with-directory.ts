import type { DirectoryUser, HostClient, UserDirectory } from '@countersign/core'
import { cheapHasher, type DeviceUser, registerTestDevice, signIn, signInByDevice, testPassword } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { openPool } from '../../../tools/testing/open-pool.ts'
import { openPostgres } from '../src/index.ts'
import { payment } from './host.ts'
import { newDatabase } from './open-migrated.ts'

/** A host with a table of people, a table of payments, and a person who has a phone. */
export interface HostWithDirectory extends TestCountersign {
  /** The only connection of the host. Its directory and its bookings share the connection. */
  readonly pool: pg.Pool
  readonly user: DeviceUser
}

/** Reads the first row of people. */
export const toUser = ([person]: readonly unknown[]): DirectoryUser | undefined => {
  if (person === undefined) return undefined
  const { id, email, hash, has_left: disabled } = person as { id: string; email: string; hash: string; has_left: boolean }
  return { id, email, passwordHash: hash, disabled }
}

/** Opens the host with its directory of users. */
export const openHost = async (
  directory: (pool: pg.Pool, url: string) => UserDirectory | Promise<UserDirectory>,
): Promise<HostWithDirectory> => {
  const url = await newDatabase()
  const storage = await openPostgres({ url, schema: 'approvals', poolSize: 1 })
  await storage.migrate()
  onTestFinished(() => storage.close())
  // A booking that waits for a second connection fails after this time.
  const pool = openPool({ connectionString: url, max: 1, connectionTimeoutMillis: 3000 })
  await pool.query(`
    create table payments (id integer primary key);
    create table people (id text primary key, email text not null, hash text, has_left boolean not null default false)`)
  await pool.query(`insert into people values ('7', 'ada@example.com', $1)`, [await cheapHasher().hash(testPassword)])
  const test = await createTestCountersign({ storage, users: await directory(pool, url) })
  const web = await signIn(test, await test.countersign.users.sync({ directoryId: '7' }))
  const phone = await registerTestDevice(test, web.caller)
  return { ...test, pool, user: { ...phone, user: web.user, web, mobile: await signInByDevice(test, phone) } }
}

/** Uses an approval for a payment in a transaction of the host. */
export const consume = (
  { countersign, user }: HostWithDirectory,
  confirmationId: string,
  paymentId: number,
  client: HostClient,
) => {
  const use = { confirmationId, userId: user.user.id, ...payment, consumedBy: `payment ${paymentId}` }
  return countersign.confirmations.consume(use, { client })
}

/** Keeps the only connection of the storage busy while the work runs. */
export const withBusyStorage = async <T>({ storage }: HostWithDirectory, work: () => Promise<T>): Promise<T> => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let taken = () => {}
  const isTaken = new Promise<void>((resolve) => {
    taken = resolve
  })
  const holding = storage.transaction(async (tx) => {
    await tx.users.byId(1)
    taken()
    await released
  })
  await isTaken
  try {
    return await work()
  } finally {
    release()
    await holding
  }
}
