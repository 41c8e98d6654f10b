import { aSession, clockStart as now } from '@countersign/core/testing'
import { expect, it } from 'vitest'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { createNumbered, givenOwners, totalOf } from './given-owners.ts'
import { connect, newDatabase, open } from './open-migrated.ts'

const POOL = 4
/** There are four connections. Three of them write, and two of the three serve projects. */
const PROJECTS = 2
const CREATIONS = 20
/** Milliseconds. Less than the timeout that ends the wait for a lock. */
const MOST_WAIT = 2000

it('waiting requests of projects leave connections for refreshes and logins', async () => {
  const url = await newDatabase()
  const storage = await open(url, POOL)
  await storage.migrate()
  const owners = await givenOwners(storage)
  const session = aSession({ userId: owners.creatorId })
  await storage.sessions.open(session)

  // A host works on the customer, so every creation waits.
  const host = await connect(url)
  await host.query('begin')
  await host.query('select 1 from customers for update')
  const creating = Promise.all(Array.from({ length: CREATIONS }, () => createNumbered(storage, owners)))

  const time = startStopwatch()
  let refreshTokenId = session.refreshTokenId
  for (let count = 0; count < 20; count += 1) {
    const next = `token ${count}`
    const rotation = {
      sessionId: session.id,
      fromTokenId: refreshTokenId,
      toTokenId: next,
      keyHash: null,
      expiresAt: now + 86_400_000,
      now,
    }
    expect(await storage.sessions.rotate(rotation)).toBe(true)
    await storage.sessions.open(aSession({ userId: owners.creatorId }))
    refreshTokenId = next
  }
  expect(time()).toBeLessThan(MOST_WAIT)
  const { rows } = await host.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  // Guards against a test without waiting creations.
  expect(rows).toHaveLength(PROJECTS)

  await host.query('commit')
  expect(new Set(await creating).size).toBe(CREATIONS)
  expect(await totalOf(storage)).toBe(CREATIONS)
})
