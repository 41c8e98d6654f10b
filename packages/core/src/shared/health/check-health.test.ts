import { createTestCountersign, createTestStorage } from '@countersign/storage-sqlite/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCountersign } from '../../countersign.ts'
import type { FullStorage } from '../../storage.ts'
import { clockStart } from '../../testing/fake-clock.ts'
import { seconds } from '../clock.ts'

/** Makes a storage with this `ping`, which counts its calls. */
const storageWithPing = async (
  ping: () => Promise<void>,
): Promise<{ readonly storage: FullStorage; readonly pings: () => number }> => {
  let pingCount = 0
  const counted = async () => {
    pingCount += 1
    return ping()
  }
  return { storage: { ...(await createTestStorage()), ping: counted }, pings: () => pingCount }
}

const never = () => new Promise<never>(() => {})

describe('a health check', () => {
  it('reports the database, the cache, the push provider and the uptime', async () => {
    const { countersign, clock } = await createTestCountersign({ cacheHealth: async () => 'healthy' })
    clock.advance(seconds(90))
    expect(await countersign.health()).toStrictEqual({
      status: 'healthy',
      at: clockStart + seconds(90),
      services: { database: 'healthy', cache: 'healthy', pushProvider: 'healthy' },
      reason: null,
      clockOffsetMs: null,
      uptimeMs: seconds(90),
    })
  })

  it('reports a dependency that is not configured, and is healthy', async () => {
    const { storage, jwtKeys, encryptionKeys } = await createTestCountersign()
    const { status, services } = await createCountersign({ storage, jwtKeys, encryptionKeys }).health()
    expect(status).toBe('healthy')
    expect(services).toStrictEqual({ database: 'healthy', cache: 'not_configured', pushProvider: 'not_configured' })
  })

  it('is unhealthy when the database is unavailable', async () => {
    const { countersign, storage } = await createTestCountersign()
    await storage.close()
    expect(await countersign.health()).toMatchObject({
      status: 'unhealthy',
      services: { database: 'unhealthy', pushProvider: 'healthy' },
      reason: 'database_closed',
    })
  })

  it('is healthy when only the cache and the push provider are unhealthy', async () => {
    const { countersign, push } = await createTestCountersign({
      cacheHealth: async () => Promise.reject(new Error('the cache is away')),
    })
    push.report('unhealthy')
    expect(await countersign.health()).toMatchObject({
      status: 'healthy',
      services: { database: 'healthy', cache: 'unhealthy', pushProvider: 'unhealthy' },
    })
  })

  it('reports a probe that throws synchronously as unhealthy', async () => {
    const cacheHealth = (): Promise<'healthy'> => {
      throw new Error('no cache')
    }
    const { countersign } = await createTestCountersign({ cacheHealth })
    expect(await countersign.health()).toMatchObject({ status: 'healthy', services: { cache: 'unhealthy' } })
  })

  it('never reports a negative uptime, when the clock steps back', async () => {
    const { countersign, clock } = await createTestCountersign()
    clock.advance(-seconds(10))
    expect(await countersign.health()).toMatchObject({ uptimeMs: 0 })
  })
})

describe('a health report', () => {
  it('is cached for a second, while its time and uptime go on', async () => {
    const { storage, pings } = await storageWithPing(async () => {})
    const { countersign, clock } = await createTestCountersign({ storage })
    await countersign.health()
    clock.advance(999)
    expect(await countersign.health()).toMatchObject({ at: clockStart + 999, uptimeMs: 999 })
    expect(pings()).toBe(1)
    clock.advance(1)
    await countersign.health()
    expect(pings()).toBe(2)
  })

  it('is also cached when it is unhealthy, and recovers within a second after the database', async () => {
    let isAway = true
    const { storage, pings } = await storageWithPing(async () => {
      if (isAway) throw new Error('away')
    })
    const { countersign, clock } = await createTestCountersign({ storage })
    expect(await countersign.health()).toMatchObject({ status: 'unhealthy' })
    isAway = false
    expect(await countersign.health()).toMatchObject({ status: 'unhealthy' })
    clock.advance(seconds(1))
    expect(await countersign.health()).toMatchObject({ status: 'healthy' })
    expect(pings()).toBe(2)
  })

  it('is made once for all concurrent requests', async () => {
    const { storage, pings } = await storageWithPing(async () => {})
    const { countersign } = await createTestCountersign({ storage })
    await Promise.all(Array.from({ length: 100 }, () => countersign.health()))
    expect(pings()).toBe(1)
  })

  it('is not cached longer when the clock steps back', async () => {
    const { storage, pings } = await storageWithPing(async () => {})
    const { countersign, clock } = await createTestCountersign({ storage })
    await countersign.health()
    clock.advance(-seconds(3600))
    await countersign.health()
    expect(pings()).toBe(2)
  })
})

describe('a probe that does not end', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is unhealthy after two seconds', async () => {
    const { storage } = await storageWithPing(never)
    const { countersign } = await createTestCountersign({ storage, cacheHealth: never })
    let report: unknown
    const asking = countersign.health().then((answer) => {
      report = answer
    })
    await vi.advanceTimersByTimeAsync(1999)
    expect(report).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await asking
    expect(report).toMatchObject({
      status: 'unhealthy',
      services: { database: 'unhealthy', cache: 'unhealthy', pushProvider: 'healthy' },
      reason: 'database_timeout',
    })
  })

  it('leaves no timer behind when it ends in time', async () => {
    await (await createTestCountersign()).countersign.health()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('causes no unhandled rejection when it fails later', async () => {
    const { storage } = await storageWithPing(
      () => new Promise((_, reject) => setTimeout(() => reject(new Error('too late')), 5000)),
    )
    const { countersign } = await createTestCountersign({ storage })
    const asking = countersign.health()
    await vi.advanceTimersByTimeAsync(6000)
    expect(await asking).toMatchObject({ status: 'unhealthy' })
  })
})
