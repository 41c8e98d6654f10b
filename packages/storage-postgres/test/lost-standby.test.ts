import { Unavailable } from '@countersign/core/storage'
import { aNewUser, aSession, signInNewUser } from '@countersign/core/testing'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { STANDBY, startStandby } from '../../../tools/testing/start-standby.ts'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { connect, open } from './open-migrated.ts'

const POOL = 5
const ROUNDS = 2
/** Milliseconds. Less than the time limit of a statement. */
const QUICK = 2000

it('a lost synchronous standby neither stops reads nor uses up all connections of PostgreSQL', { timeout: 60_000 }, async () => {
  const primary = await startPostgres({ settings: { synchronous_commit: 'on' } })
  onTestFinished(() => primary.remove())
  const standby = await startStandby(primary, {})
  onTestFinished(() => standby.remove())
  const storage = await open(primary.url, POOL)
  await storage.migrate()
  const [user] = await storage.users.create([aNewUser()])
  const write = () => storage.transaction((tx) => tx.sessions.open(aSession({ userId: user?.id ?? 0 })))
  await Promise.all(Array.from({ length: 2 * POOL }, write))
  const { countersign } = await createTestCountersign({ storage })
  const { refreshToken } = (await signInNewUser({ countersign })).tokens
  const renewal = { refreshToken, renewalKey: 'k'.repeat(22) }
  const administrator = await connect(primary.url)
  /** Returns the sessions of the pool, also those whose connection was closed. */
  const sessions = async (): Promise<readonly unknown[]> =>
    (await administrator.query(`select wait_event from pg_stat_activity where application_name = 'countersign'`)).rows

  await administrator.query(`alter system set synchronous_standby_names = '${STANDBY}'`)
  await administrator.query('select pg_reload_conf()')
  await write()
  await standby.stop('immediate')
  const lostAnswer = countersign.auth.refresh(renewal)
  await expect(lostAnswer).rejects.toBeInstanceOf(Unavailable)
  for (let round = 0; round < ROUNDS; round += 1) {
    const writes = Array.from({ length: 2 * POOL }, write)
    const time = startStopwatch()
    await Promise.all([storage.ping(), storage.users.byId(1), storage.projects.customers.list({ afterId: '0', limit: 1 })])
    expect(time()).toBeLessThan(QUICK)
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).not.toContain('fulfilled')
    expect((await sessions()).length).toBeLessThanOrEqual(POOL)
  }
  // Guards against a test whose writes fail for another reason.
  expect(await sessions()).toContainEqual({ wait_event: 'SyncRep' })
  expect(storage.statistics().connections?.inUse).toBe(POOL - 1)

  await administrator.query(`alter system reset synchronous_standby_names`)
  await administrator.query('select pg_reload_conf()')
  await expect.poll(() => storage.statistics().connections?.inUse).toBe(0)
  await write()
  // The rotation took effect, although its answer was lost. The client's key gets the same successor.
  await expect(countersign.auth.refresh(renewal)).resolves.toBeDefined()
})
