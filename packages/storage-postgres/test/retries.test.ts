import { setTimeout as pause } from 'node:timers/promises'
import { Unavailable } from '@countersign/core/storage'
import { failuresOf, noWaits, clockStart as now } from '@countersign/core/testing'
import type pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { connect, open, openMigrated } from './open-migrated.ts'
import { openListening } from './open-through-proxy.ts'

/** Milliseconds. */
const LONGEST = 5000

/** Creates a trigger that aborts the given number of writes of login failures after they were executed. */
const refuse = async (client: pg.Client, code: string, times: number): Promise<void> => {
  await client.query(`
    create sequence refusals;
    create function refuse() returns trigger language plpgsql as $$
    begin
      -- A sequence is not undone with the transaction.
      if nextval('countersign.refusals') <= ${times} then raise exception using errcode = '${code}'; end if;
      return null;
    end $$;
    create trigger refuse after insert or update on login_failures for each row execute function refuse()`)
}

const endOthers = (client: pg.Client) =>
  client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )

describe.each(['40001', '40P01'])('a write that PostgreSQL aborts with code %s because of a conflict', (code) => {
  it.each(['statement', 'transaction'])('is retried three times and takes effect once: a %s', async (what) => {
    const { url, storage } = await openMigrated()
    await refuse(await connect(url), code, 3)
    if (what === 'statement') await storage.loginFailures.reserve('account', noWaits, now)
    else await storage.transaction((tx) => tx.loginFailures.reserve('account', noWaits, now))
    expect(await failuresOf(storage, 'account')).toMatchObject({ count: 1 })
  })

  it('fails as unavailable without any effect when every retry conflicts', async () => {
    const { url, storage } = await openMigrated()
    await refuse(await connect(url), code, 4)
    await expect(storage.loginFailures.reserve('account', noWaits, now)).rejects.toBeInstanceOf(Unavailable)
    expect(await failuresOf(storage, 'account')).toBeUndefined()
    await storage.loginFailures.reserve('account', noWaits, now)
    expect(await failuresOf(storage, 'account')).toMatchObject({ count: 1 })
  })
})

describe('competing writers of one row', () => {
  it('each take effect once if the default isolation level is serializable', async () => {
    const { url, storage } = await openMigrated()
    const client = await connect(url)
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_isolation = serializable`)
    const strict = await open(url)
    let refused = 0
    for (let round = 0; round < 20; round += 1) {
      const added = await Promise.allSettled([1, 2, 3].map(() => strict.loginFailures.reserve('account', noWaits, now)))
      for (const one of added) {
        if (one.status === 'fulfilled') continue
        refused += 1
        expect(one.reason).toBeInstanceOf(Unavailable)
      }
    }
    expect(await failuresOf(storage, 'account')).toMatchObject({ count: 60 - refused })
    expect(refused).toBeLessThan(5)
  })
})

describe('work whose connection is lost', () => {
  it('before the commit is retried once on another connection', async () => {
    const { url, storage } = await openMigrated()
    const client = await connect(url)
    let attempts = 0
    await storage.transaction(async (tx) => {
      attempts += 1
      await tx.loginFailures.reserve('account', noWaits, now)
      if (attempts === 1) await endOthers(client)
      await tx.loginFailures.reserve('account', noWaits, now)
    })
    expect(attempts).toBe(2)
    expect(await failuresOf(storage, 'account')).toMatchObject({ count: 2 })
  })

  it('because its idle connection was closed is done on another connection', async () => {
    const { url, storage } = await openMigrated()
    const client = await connect(url)
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => storage.users.byId(1)))
      await endOthers(client)
      await storage.loginFailures.reserve('account', noWaits, now)
      await storage.ping()
    }
    expect(await failuresOf(storage, 'account')).toMatchObject({ count: 10 })
  })

  it('because the server restarted succeeds without an error', async () => {
    const settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
    const first = await startPostgres({ settings })
    onTestFinished(() => first.remove())
    const { storage } = await openMigrated(first.url)
    await Promise.all(Array.from({ length: 20 }, () => storage.loginFailures.reserve('account', noWaits, now)))
    await first.stop('immediate')
    const second = await startPostgres({ settings, directory: first.directory, port: first.port })
    onTestFinished(() => second.stop())
    await Promise.all(Array.from({ length: 50 }, () => storage.loginFailures.reserve('account', noWaits, now)))
    expect(await failuresOf(storage, 'account')).toMatchObject({ count: 70 })
  })

  it('in a network that drops packets waits for one time-out, not for one per connection', async () => {
    const { storage, workers } = await openListening()
    await Promise.all(Array.from({ length: 20 }, () => storage.loginFailures.reserve('account', noWaits, now)))
    expect(workers().length).toBeGreaterThan(5)
    for (const connection of workers()) connection.hold()
    await pause(1100)
    const time = startStopwatch()
    await Promise.all(Array.from({ length: 30 }, () => storage.loginFailures.reserve('account', noWaits, now)))
    expect(time()).toBeLessThan(LONGEST)
    expect(await failuresOf(storage, 'account')).toMatchObject({ count: 50 })
  })

  it.each(['statement', 'transaction'])('during the commit is not retried, because it may be committed: a %s', async (what) => {
    const { storage, other, workers } = await openListening()
    await storage.ping()
    const hold = () => {
      for (const connection of workers()) connection.holdAnswers()
    }
    const time = startStopwatch()
    const add = async () => {
      hold()
      await storage.loginFailures.reserve('account', noWaits, now)
    }
    const addInTransaction = () =>
      storage.transaction(async (tx) => {
        await tx.loginFailures.reserve('account', noWaits, now)
        hold()
      })
    await expect(what === 'statement' ? add() : addInTransaction()).rejects.toBeInstanceOf(Unavailable)
    expect(time()).toBeLessThan(LONGEST)
    expect(await failuresOf(other, 'account')).toMatchObject({ count: 1 })
  })
})

it('a storage closes within five seconds in a network that drops packets', async () => {
  const { storage, proxy, openSession, untilRemembered } = await openListening()
  await untilRemembered((await openSession()).id)
  for (const connection of proxy.connections) connection.hold()
  const time = startStopwatch()
  await storage.close()
  expect(time()).toBeLessThan(LONGEST)
})

it('a caller is refused within five seconds when all connections are in use', async () => {
  const { url } = await openMigrated()
  const small = await open(url, 1)
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let user = Promise.resolve()
  await new Promise<void>((resolve) => {
    user = small.transaction(() => {
      resolve()
      return held
    })
  })
  const time = startStopwatch()
  await expect(small.users.byId(1)).rejects.toBeInstanceOf(Unavailable)
  expect(time()).toBeLessThan(LONGEST)
  letGo()
  await user
  await small.users.byId(1)
})
