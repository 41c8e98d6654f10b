import { type MigratedStorage, type Session, Unavailable } from '@countersign/core/storage'
import { aNewUser, aSession, clockStart as now } from '@countersign/core/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, open, openMigrated } from './open-migrated.ts'
import { openListening } from './open-through-proxy.ts'

const openSessions = async (storage: MigratedStorage, count: number): Promise<readonly Session[]> => {
  const [user] = await storage.users.create([aNewUser()])
  const sessions = Array.from({ length: count }, () => aSession({ userId: user?.id ?? 0 }))
  for (const session of sessions) await storage.sessions.open(session)
  return sessions
}

const rotationOf = ({ id, refreshTokenId, refreshExpiresAt }: Session, toTokenId = aSession().refreshTokenId) => ({
  sessionId: id,
  fromTokenId: refreshTokenId,
  toTokenId,
  keyHash: null,
  expiresAt: refreshExpiresAt,
  now,
})

const rotateAll = (storage: MigratedStorage, sessions: readonly Session[]) =>
  Promise.all(sessions.map((session) => storage.sessions.rotate(rotationOf(session))))

describe('concurrent reads by prepared statements', () => {
  it('take one round trip for every sixteen, and fail independently of each other', async () => {
    const { url, storage } = await openMigrated()
    const users = await storage.users.create(Array.from({ length: 19 }, () => aNewUser()))
    const single = await open(url, 1)
    await single.ping()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => query.mockRestore())
    const read = await Promise.all([single.confirmations.byId('none'), ...users.map(({ id }) => single.users.byId(id))])
    expect(read).toStrictEqual([undefined, ...users])
    expect(query).toHaveBeenCalledTimes(2)
    // PostgreSQL cannot read a NUL character in a text.
    const [failed, found] = await Promise.allSettled([single.confirmations.byId('\0'), single.users.byId(users[0]?.id ?? 0)])
    expect([failed.status, found]).toStrictEqual(['rejected', { status: 'fulfilled', value: users[0] }])
  })
})

describe('concurrent refresh token rotations', () => {
  it('take one round trip for every sixteen', async () => {
    const { url, storage } = await openMigrated()
    const sessions = await openSessions(storage, 20)
    const single = await open(url, 1)
    await single.ping()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => query.mockRestore())
    expect(await rotateAll(single, sessions)).toStrictEqual(sessions.map(() => true))
    expect(query).toHaveBeenCalledTimes(2)
  })

  it('succeed or fail independently of each other', async () => {
    const { storage } = await openMigrated()
    const [good, spent, wrong, last] = await openSessions(storage, 4)
    if (!good || !spent || !wrong || !last) throw new Error('too few sessions')
    await storage.sessions.rotate(rotationOf(spent))
    const outcomes = await Promise.allSettled([
      storage.sessions.rotate(rotationOf(good)),
      storage.sessions.rotate(rotationOf(spent)),
      // PostgreSQL cannot store a NUL character in a text.
      storage.sessions.rotate(rotationOf(wrong, 'zero \0')),
      storage.sessions.rotate(rotationOf(last)),
      storage.sessions.rotate(rotationOf(last)),
    ])
    expect(outcomes).toMatchObject([{ value: true }, { value: false }, { status: 'rejected' }, {}, {}])
    // Two rotations of one token: exactly one succeeds, in either order.
    expect(outcomes.slice(3)).toContainEqual({ status: 'fulfilled', value: true })
    expect(outcomes.slice(3)).toContainEqual({ status: 'fulfilled', value: false })
    expect(await storage.sessions.byId(wrong.id)).toStrictEqual(wrong)
  })

  it('from two processes never deadlock', async () => {
    const { url, storage } = await openMigrated()
    const other = await open(url)
    const sessions = await openSessions(storage, 16)
    for (let round = 0; round < 50; round += 1) {
      const read = await Promise.all(sessions.map(({ id }) => storage.sessions.byId(id)))
      const current = read.filter((session) => session !== undefined)
      const [here, there] = await Promise.all([rotateAll(storage, current), rotateAll(other, current.toReversed())])
      expect([...here, ...there].filter(Boolean)).toHaveLength(sessions.length)
    }
    const { rows } = await (await connect(url)).query(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    )
    expect(rows).toStrictEqual([{ deadlocks: 0 }])
  })

  it('are not retried when the shared answer is lost, because they may be committed', async () => {
    const { storage, other, workers } = await openListening()
    const sessions = await openSessions(other, 3)
    await storage.ping()
    for (const connection of workers()) connection.holdAnswers()
    const outcomes = await Promise.allSettled(sessions.map((session) => storage.sessions.rotate(rotationOf(session))))
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(Unavailable) })
    for (const { id, refreshTokenId } of sessions) {
      expect(await other.sessions.byId(id)).toMatchObject({ previousRefreshTokenId: refreshTokenId })
    }
  })
})
