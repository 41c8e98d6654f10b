import type { ServiceToken, SessionStatus } from '@countersign/core/storage'
import { aNewUser, aServiceToken, aSession } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import type { CachedChange, PolledChanges } from '../../shared/change-feed.ts'
import { cacheSessionStatus } from './session-cache.ts'

/** A fake database of session statuses that records its queries, and a change feed that the test controls. */
const given = () => {
  const sessions = new Map<string, SessionStatus>()
  const serviceTokens = new Map<string, ServiceToken>()
  const queried: string[] = []
  let news: PolledChanges<CachedChange> = []
  const report = (changes: PolledChanges<CachedChange>) => {
    news = changes
  }
  /** Runs during a query, after the answer was found. */
  let meanwhile = () => {}
  const setMeanwhile = (work: () => void) => {
    meanwhile = work
  }
  const answer = async <T>(known: ReadonlyMap<string, T>, id: string): Promise<T | undefined> => {
    queried.push(id)
    const found = known.get(id)
    meanwhile()
    return found
  }
  const cache = cacheSessionStatus(
    { session: (id) => answer(sessions, id), serviceToken: (id) => answer(serviceTokens, id) },
    {
      poll: () => {
        const changes = news
        news = []
        return changes
      },
    },
  )
  const permit = (id: string, userId: number, ...permissions: string[]) => {
    const { directoryId, email, employee, department } = aNewUser()
    const { kind, authMethod, deviceId, passkeyId, userVerified, rememberMe, createdAt } = aSession()
    const user = { userId, directoryId, email, employee, department, permissions }
    sessions.set(id, {
      ...user,
      kind,
      authMethod,
      deviceId,
      passkeyId,
      userVerified,
      rememberMe,
      createdAt,
      tenants: null,
      trustedAt: null,
    })
  }
  return { sessions, serviceTokens, cache, permit, report, setMeanwhile, queried }
}

describe('the session cache', () => {
  it('asks the database once per status while nothing changes', async () => {
    const { cache, permit, queried, serviceTokens } = given()
    permit('a', 1, 'project.read')
    const token = aServiceToken()
    serviceTokens.set(token.id, token)
    for (let index = 0; index < 3; index += 1) {
      expect(await cache.session('a')).toMatchObject({ userId: 1, permissions: ['project.read'] })
      expect(await cache.serviceToken(token.id)).toStrictEqual(token)
    }
    expect(queried).toStrictEqual(['a', token.id])
    expect(cache.statistics()).toStrictEqual({ hits: 4, misses: 2 })
  })

  it('asks the database every time for a session that is not live', async () => {
    const { cache, permit, queried } = given()
    expect(await cache.session('a')).toBeUndefined()
    permit('a', 1)
    expect(await cache.session('a')).toBeDefined()
    expect(queried).toStrictEqual(['a', 'a'])
  })

  it('removes a changed session and keeps the others', async () => {
    const { sessions, cache, permit, report, queried } = given()
    for (const id of ['a', 'b']) {
      permit(id, 1)
      await cache.session(id)
    }
    sessions.delete('a')
    report([{ kind: 'session', subject: 'a' }])
    expect(await cache.session('b')).toBeDefined()
    expect(await cache.session('a')).toBeUndefined()
    expect(queried).toStrictEqual(['a', 'b', 'a'])
  })

  it('removes all sessions of a changed user', async () => {
    const { cache, permit, report, queried } = given()
    for (const [id, user] of [
      ['a', 1],
      ['b', 1],
      ['c', 11],
    ] as const) {
      permit(id, user, 'old')
      await cache.session(id)
      permit(id, user, 'new')
    }
    report([{ kind: 'user', subject: '1' }])
    expect(await cache.session('a')).toMatchObject({ permissions: ['new'] })
    expect(await cache.session('b')).toMatchObject({ permissions: ['new'] })
    expect(await cache.session('c')).toMatchObject({ permissions: ['old'] })
    expect(queried).toStrictEqual(['a', 'b', 'c', 'a', 'b'])
    permit('b', 1, 'newest')
    report([{ kind: 'user', subject: '1' }])
    expect(await cache.session('b')).toMatchObject({ permissions: ['newest'] })
  })

  it('removes a changed service token', async () => {
    const { serviceTokens, cache, report } = given()
    const token = aServiceToken()
    serviceTokens.set(token.id, token)
    await cache.serviceToken(token.id)
    serviceTokens.delete(token.id)
    report([{ kind: 'service_token', subject: token.id }])
    expect(await cache.serviceToken(token.id)).toBeUndefined()
  })

  it('is cleared when the feed reports unknown changes', async () => {
    const { cache, permit, serviceTokens, report, queried } = given()
    permit('a', 1)
    const token = aServiceToken()
    serviceTokens.set(token.id, token)
    await cache.session('a')
    await cache.serviceToken(token.id)
    report('unknown')
    await cache.session('a')
    await cache.serviceToken(token.id)
    expect(queried).toStrictEqual(['a', token.id, 'a', token.id])
  })

  it('is bypassed while the feed cannot say what has changed, and used again afterwards', async () => {
    const { cache, permit, report, queried } = given()
    permit('a', 1)
    await cache.session('a')
    report('unsure')
    await cache.session('a')
    await cache.session('a')
    expect(queried).toStrictEqual(['a', 'a'])
  })

  it('does not cache a status if the feed could not say what has changed before or after the query', async () => {
    const { cache, permit, report, setMeanwhile, queried } = given()
    permit('a', 1)
    report('unsure')
    await cache.session('a')
    setMeanwhile(() => report('unsure'))
    await cache.session('a')
    setMeanwhile(() => {})
    await cache.session('a')
    await cache.session('a')
    expect(queried).toStrictEqual(['a', 'a', 'a'])
  })

  it.each([
    ['the session', { kind: 'session', subject: 'a' }],
    ['its user', { kind: 'user', subject: '1' }],
  ] as const)('does not cache a status if %s changed during the query', async (_, change) => {
    const { sessions, cache, permit, report, setMeanwhile } = given()
    permit('a', 1)
    setMeanwhile(() => {
      sessions.delete('a')
      report([change])
    })
    expect(await cache.session('a')).toBeDefined()
    setMeanwhile(() => {})
    expect(await cache.session('a')).toBeUndefined()
  })

  it('does not cache a status if another caller received the change first', async () => {
    const { sessions, cache, permit, report, setMeanwhile } = given()
    permit('a', 1)
    permit('b', 1)
    let other: Promise<unknown> | undefined
    setMeanwhile(() => {
      setMeanwhile(() => {})
      sessions.delete('a')
      report([{ kind: 'session', subject: 'a' }])
      other = cache.session('b')
    })
    expect(await cache.session('a')).toBeDefined()
    await other
    expect(await cache.session('a')).toBeUndefined()
  })
})
