import { Unavailable } from '@countersign/core/storage'
import { aConfirmation, aNewUser, noWaits, clockStart as now } from '@countersign/core/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, open, openMigrated } from './open-migrated.ts'
import { openListening } from './open-through-proxy.ts'

const given = async () => {
  const { url, storage } = await openMigrated()
  const [user] = await storage.users.create([aNewUser()])
  return { url, storage, userId: user?.id ?? 0, single: await open(url, 1) }
}

describe('a transaction whose statements do not depend on earlier answers', () => {
  it('takes one round trip, including the first time', async () => {
    const { userId, single } = await given()
    await single.ping()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => query.mockRestore())
    expect(await single.confirmations.initiate(aConfirmation({ userId }), 2)).toBe(true)
    expect(query).toHaveBeenCalledTimes(1)
    expect(await single.confirmations.initiate(aConfirmation({ userId }), 2)).toBe(true)
    expect(await single.confirmations.initiate(aConfirmation({ userId }), 2)).toBe(false)
    expect(query).toHaveBeenCalledTimes(3)
  })

  it('counts what was committed while it waited for a row lock, at any default isolation level', async () => {
    const { url, storage, userId } = await given()
    const client = await connect(url)
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_isolation = 'repeatable read'`)
    const strict = await open(url)
    // Opens all connections first, so that the calls wait only for the locked row.
    await Promise.all(Array.from({ length: 4 }, (_, index) => strict.loginFailures.reserve(`account ${index}`, noWaits, now)))
    await client.query('begin')
    await client.query('select from users where id = $1 for no key update', [userId])
    const results = Promise.all(Array.from({ length: 4 }, () => strict.confirmations.initiate(aConfirmation({ userId }), 2)))
    // A separate connection, because a transaction sees `pg_stat_activity` as of its first query.
    const watcher = await connect(url)
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await expect.poll(async () => (await watcher.query(waiting)).rowCount).toBe(4)
    await client.query('commit')
    expect((await results).filter(Boolean)).toHaveLength(2)
    expect(await storage.confirmations.pendingOfUser(userId, now)).toHaveLength(2)
  })

  it('is rolled back as a whole when a statement fails, and the connection stays usable', async () => {
    const { userId, single } = await given()
    const confirmation = aConfirmation({ userId })
    await single.confirmations.initiate(confirmation, 9)
    for (let time = 0; time < 3; time += 1) {
      await expect(single.confirmations.initiate(confirmation, 9)).rejects.toThrow('duplicate key')
      expect(await single.confirmations.initiate(aConfirmation({ userId }), 9)).toBe(true)
    }
    expect(await single.confirmations.pendingOfUser(userId, now)).toHaveLength(4)
  })

  it('is retried once when the server ends the connection before the commit', async () => {
    const { url, userId, single } = await given()
    await (await connect(url)).query(`
      create sequence ended;
      create function end_once() returns trigger language plpgsql as $$
      begin
        if nextval('countersign.ended') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
        return null;
      end $$;
      create trigger end_once after insert on confirmations for each row execute function end_once()`)
    expect(await single.confirmations.initiate(aConfirmation({ userId }), 9)).toBe(true)
    expect(await single.confirmations.pendingOfUser(userId, now)).toHaveLength(1)
  })

  it('is not retried when the answer is lost, because it may be committed', async () => {
    const { storage, other, workers } = await openListening()
    const userId = (await other.users.create([aNewUser()]))[0]?.id ?? 0
    await storage.ping()
    for (const connection of workers()) connection.holdAnswers()
    await expect(storage.confirmations.initiate(aConfirmation({ userId }), 9)).rejects.toBeInstanceOf(Unavailable)
    expect(await other.confirmations.pendingOfUser(userId, now)).toHaveLength(1)
  })
})
