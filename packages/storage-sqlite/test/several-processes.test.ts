import { setImmediate } from 'node:timers/promises'
import type { RateLimit } from '@countersign/core'
import type { MigratedStorage, Stores, User } from '@countersign/core/storage'
import { aChallenge, aNewUser, aSession, clockStart, failuresOf, noWaits } from '@countersign/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/index.ts'
import { openMigrated } from './open-migrated.ts'
import { type OtherProcess, otherProcess } from './other-process.ts'
import { temporaryFile, temporaryPath } from './temporary-file.ts'

const later = clockStart + 1000
const aDayLater = clockStart + 86_400_000
const limit: RateLimit = { burst: 6, refillMs: 1000, windowMax: 100, windowMs: 60_000 }

const givenUser = async ({ users }: Stores): Promise<User> => {
  const [user] = await users.create([aNewUser()])
  if (user === undefined) throw new Error('the email is taken')
  return user
}

describe('two processes on one file', () => {
  const { path, remove } = temporaryFile()
  let storage: MigratedStorage
  let other: OtherProcess

  beforeAll(async () => {
    storage = await openSqlite({ path })
    await storage.migrate()
    other = await otherProcess(path)
  })

  afterAll(async () => {
    await other.kill()
    await storage.close()
    remove()
  })

  const given = async () => {
    const user = await givenUser(storage)
    const session = aSession({ userId: user.id })
    await storage.sessions.open(session)
    return { user, session }
  }

  it('refuse a session immediately after the other process ended it', async () => {
    const { session } = await given()
    expect(await storage.sessions.status(session.id)).toBeDefined()
    expect(await other.call('sessions.end', session.id, 'logout', later)).toBe(true)
    expect(await storage.sessions.status(session.id)).toBeUndefined()
  })

  it('count a limit together if they take requests alternately', async () => {
    const key = 'authentication:in-turn'
    const take = async (process: 'this' | 'other', now: number) =>
      process === 'this' ? storage.rateLimits.take(key, limit, now) : other.call('rateLimits.take', key, limit, now)
    for (let taken = 1; taken <= limit.burst; taken += 1) {
      const decision = await take(taken % 2 === 0 ? 'this' : 'other', clockStart)
      expect(decision).toMatchObject({ allowed: true, remaining: limit.burst - taken })
    }
    expect(await take('this', clockStart)).toMatchObject({ allowed: false, retryAfterMs: limit.refillMs })
    expect(await take('other', clockStart)).toMatchObject({ allowed: false, retryAfterMs: limit.refillMs })
  })

  it('give back requests correctly, even if the other process took them or took later ones', async () => {
    const key = 'authentication:given-back'
    const later = clockStart + 1
    await storage.rateLimits.take(key, limit, clockStart)
    await other.call('rateLimits.take', key, limit, later)
    await storage.rateLimits.giveBack(key, limit, later)
    await other.call('rateLimits.take', key, limit, later)
    await storage.rateLimits.giveBack(key, limit, clockStart)
    expect(await storage.rateLimits.take(key, limit, later)).toMatchObject({ remaining: limit.burst - 2 })
  })

  it('count a limit correctly after the other process has swept and used it', async () => {
    const key = 'authentication:swept'
    await storage.rateLimits.take(key, limit, clockStart)
    expect(await storage.sweep(aDayLater)).toMatchObject({ rateLimits: 3 })
    for (let taken = 1; taken <= 3; taken += 1) await other.call('rateLimits.take', key, limit, aDayLater)
    expect(await storage.rateLimits.take(key, limit, aDayLater)).toMatchObject({ allowed: true, remaining: limit.burst - 4 })
  })

  it('refuse a session that the other process ended, even if this process was busy since its last poll', async () => {
    const { session } = await given()
    // Continues after the poll phase of the event loop, so that the next event is a message of the other process.
    await setImmediate()
    expect(await storage.sessions.status(session.id)).toBeDefined()
    const ended = other.call('sessions.end', session.id, 'logout', later)
    const heldUntil = performance.now() + 100
    while (performance.now() < heldUntil);
    await ended
    expect(await storage.sessions.status(session.id)).toBeUndefined()
  })

  it('notice an ended session among a great many other changes', async () => {
    const { user, session } = await given()
    const many = Array.from({ length: 1500 }, () => aSession({ userId: user.id }))
    await Promise.all(many.map((each) => storage.sessions.open(each)))
    expect(await storage.sessions.status(session.id)).toBeDefined()
    await other.call('sessions.end', session.id, 'logout', later)
    await Promise.all(many.map(({ id }) => other.call('sessions.end', id, 'logout', later)))
    expect(await storage.sessions.status(session.id)).toBeUndefined()
  })

  it('notice an ended session even if its row in `changes` was swept', async () => {
    const { session } = await given()
    expect(await storage.sessions.status(session.id)).toBeDefined()
    await other.call('sessions.end', session.id, 'logout', later)
    await other.call('sweep', later + 24 * 3_600_000)
    expect(await storage.sessions.status(session.id)).toBeUndefined()
  })

  it('let exactly one of many concurrent callers consume a challenge', async () => {
    const challenge = aChallenge('device_login')
    await storage.challenges.issue(challenge)
    const input = [challenge.id, 'device_login', null, later] as const
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0 ? storage.challenges.consume(...input) : other.call('challenges.consume', ...input),
      ),
    )
    expect(outcomes.filter((outcome) => outcome !== undefined)).toStrictEqual([challenge])
  })

  it('share one rate limit', async () => {
    const limit = { burst: 10, refillMs: 60_000, windowMax: 600, windowMs: 3_600_000 }
    const decisions = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? storage.rateLimits.take('both', limit, later)
          : (other.call('rateLimits.take', 'both', limit, later) as ReturnType<typeof storage.rateLimits.take>),
      ),
    )
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10)
  })

  it('both make progress while both write continuously', async () => {
    const writes = Array.from({ length: 300 })
    await Promise.all([
      ...writes.map(() => storage.loginFailures.reserve('both', noWaits, later)),
      ...writes.map(() => other.call('loginFailures.reserve', 'both', noWaits, later)),
    ])
    expect(await failuresOf(storage, 'both')).toStrictEqual({ count: 600, lastAt: later })
  })

  it('allow together no more concurrent login attempts than one process', async () => {
    const waits = { free: 10, first: 30_000, longest: 900_000 }
    const tries = Array.from({ length: 30 })
    const reserved = await Promise.all([
      ...tries.map(() => storage.loginFailures.reserve('crowd', waits, later)),
      ...tries.map(() => other.call('loginFailures.reserve', 'crowd', waits, later)),
    ])
    expect(reserved.filter(Boolean)).toHaveLength(10)
  })

  it('lose no acknowledged write when one process is killed while writing', async () => {
    const user = await givenUser(storage)
    const victim = await otherProcess(path)
    const acknowledged: string[] = []
    const writeUntilGone = async (): Promise<void> => {
      let isThere = true
      const left = victim.gone.then(() => {
        isThere = false
      })
      while (isThere) {
        const session = aSession({ userId: user.id })
        await Promise.race([victim.call('sessions.open', session).then(() => acknowledged.push(session.id)), left])
        // At least 200: others may have been acknowledged at the same time.
        if (acknowledged.length >= 200) void victim.kill()
      }
    }
    await Promise.all([writeUntilGone(), writeUntilGone(), writeUntilGone(), writeUntilGone()])
    const live = new Set((await storage.sessions.ofUser(user.id, later)).map(({ id }) => id))
    expect(acknowledged.length).toBeGreaterThanOrEqual(200)
    expect(acknowledged.filter((id) => !live.has(id))).toStrictEqual([])
    await expect(storage.loginFailures.reserve('goes on', noWaits, later)).resolves.toBe(true)
  })
})

describe('two storages in one process', () => {
  it('take turns on transactions without errors', async () => {
    const path = temporaryPath()
    const [one, other] = [await openMigrated(path), await openMigrated(path)]
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? one : other).transaction(async (tx) => {
          await tx.loginFailures.reserve('both', noWaits, later)
          await tx.users.byId(1)
          await tx.loginFailures.reserve('both', noWaits, later)
        }),
      ),
    )
    expect(await failuresOf(one, 'both')).toStrictEqual({ count: 200, lastAt: later })
  })
})
