import { createServer } from 'node:net'
import { defaultRateLimits, type RateLimitDecision, type RateLimitStore } from '@countersign/core'
import { clockStart, fakeClock, type RecordingLogger, recordingLogger } from '@countersign/core/testing'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeWithRedisServers } from '../../../../../tools/testing/describe-with-redis.ts'
import { type RedisServer, startRedis } from '../../../../../tools/testing/start-redis.ts'
import { startStopwatch } from '../../../../../tools/testing/stopwatch.ts'
import { redisCommand } from '../../testing/redis-command.ts'
import { type RedisRateLimits, redisRateLimits } from './redis-rate-limits.ts'

// Real processes take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const PATIENT = 30_000

const limit = defaultRateLimits.authentication

/** A memory store instead of the database, and the number of requests that the store counted. */
const countingStore = async (): Promise<{ readonly store: RateLimitStore; readonly calls: () => number }> => {
  const { rateLimits } = await createTestStorage()
  let calls = 0
  const take: RateLimitStore['take'] = (...given) => {
    calls += 1
    return rateLimits.take(...given)
  }
  return { store: { ...rateLimits, take }, calls: () => calls }
}

describeWithRedisServers('rate limits in Redis', () => {
  let redis: RedisServer
  let database: Awaited<ReturnType<typeof countingStore>>
  let logger: RecordingLogger
  const opened: RedisRateLimits[] = []

  beforeEach(async () => {
    redis = await startRedis()
    database = await countingStore()
    logger = recordingLogger()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()))
    await redis.remove()
  })

  const clock = fakeClock()
  const open = (url: string, answerTime: number): RedisRateLimits => {
    const limits = redisRateLimits({ url, fallback: database.store, logger, clock, answerTime, firstPause: 20 })
    opened.push(limits)
    return limits
  }
  /** Opens rate limits and waits until Redis counts. Redis gets time to reply on a busy machine. */
  const openHealthy = async (answerTime = PATIENT): Promise<RedisRateLimits> => {
    const limits = open(redis.url, answerTime)
    await expect.poll(() => limits.health(), { timeout: PATIENT }).toBe('healthy')
    return limits
  }
  const untilHealthy = (limits: RedisRateLimits) =>
    expect.poll(() => limits.health(), { timeout: PATIENT, interval: 20 }).toBe('healthy')
  const take = (limits: RedisRateLimits, key = 'authentication:user:1') => limits.take(key, limit, clockStart)
  const takeMany = async (limits: RedisRateLimits, count: number): Promise<number> => {
    const decisions = await Promise.all(Array.from({ length: count }, () => take(limits)))
    return decisions.filter(({ allowed }) => allowed).length
  }
  const command = (...words: readonly string[]) => redisCommand(redis.url, ...words)
  const reasons = () => logger.entries.filter(({ event }) => event === 'redis_away').map(({ fields }) => fields.reason)

  it('are counted only in Redis while Redis is available', async () => {
    const limits = await openHealthy()
    expect(await takeMany(limits, 50)).toBe(limit.burst)
    expect(database.calls()).toBe(0)
    expect(logger.entries).toEqual([{ level: 'info', event: 'redis_connected', fields: {} }])
  })

  it('open no connection before the first request or health check', async () => {
    const limits = open(redis.url, PATIENT)
    const connections = async () =>
      String(await command('CLIENT', 'LIST'))
        .trim()
        .split('\n').length
    expect(await connections()).toBe(1)
    await limits.health()
    expect(await connections()).toBe(2)
    await limits.close()
    await expect.poll(connections).toBe(1)
  })

  it('are counted in the database until the first connection is open', async () => {
    const limits = open(redis.url, PATIENT)
    expect((await take(limits)).allowed).toBe(true)
    expect(database.calls()).toBe(1)
    await untilHealthy(limits)
    await take(limits)
    expect(database.calls()).toBe(1)
  })

  it('are counted in the database while Redis is away, and in Redis again when Redis is back', async () => {
    const limits = await openHealthy()
    expect(await takeMany(limits, 30)).toBe(limit.burst)
    await redis.remove()
    expect(await takeMany(limits, 30)).toBe(limit.burst)
    expect(database.calls()).toBe(30)
    expect(await limits.health()).toBe('unhealthy')
    redis = await startRedis({ port: redis.port })
    await untilHealthy(limits)
    expect(await takeMany(limits, 30)).toBe(limit.burst)
    expect(database.calls()).toBe(30)
  })

  it('log an outage once, and log its end', async () => {
    const limits = await openHealthy()
    await redis.remove()
    await expect.poll(() => reasons().at(-1), { timeout: PATIENT }).toBe('ECONNREFUSED')
    for (let time = 0; time < 20; time += 1) await take(limits)
    // One reason for the broken connection, and one for the failed attempts to connect.
    expect(reasons().length).toBeLessThanOrEqual(2)
    redis = await startRedis({ port: redis.port })
    await untilHealthy(limits)
    expect(logger.entries.at(-1)).toMatchObject({ level: 'info', event: 'redis_connected' })
  })

  it('are still in Redis after an outage in which Redis only hung', async () => {
    const patient = await openHealthy()
    expect(await takeMany(patient, 30)).toBe(limit.burst)
    const limits = await openHealthy(200)
    redis.freeze()
    expect(await takeMany(limits, 5)).toBe(5)
    redis.thaw()
    await untilHealthy(limits)
    expect(await takeMany(patient, 5)).toBe(0)
  })

  it('delay only the concurrent requests once if Redis hangs, and no later request', async () => {
    const limits = await openHealthy(200)
    redis.freeze()
    const waited = startStopwatch()
    const decisions = await Promise.all(Array.from({ length: 200 }, () => take(limits)))
    const firstWait = waited()
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(limit.burst)
    expect(new Set(reasons())).toEqual(new Set(['TIMEOUT']))
    // A request that still asked the frozen Redis would wait as long as the first ones.
    for (let time = 0; time < 500; time += 1) await take(limits)
    const laterWaits = waited() - firstWait
    expect(database.calls()).toBe(700)
    expect(firstWait).toBeLessThan(5000)
    expect(laterWaits).toBeLessThan(5000)
    expect(await limits.health()).toBe('unhealthy')
  })

  it('never allow more than twice the limit, however often Redis fails', async () => {
    const limits = await openHealthy()
    let allowed = 0
    for (let outage = 0; outage < 4; outage += 1) {
      allowed += await takeMany(limits, 15)
      await command('CONFIG', 'SET', 'maxmemory', '1')
      clock.advance(1000)
      expect(await limits.health()).toBe('unhealthy')
      allowed += await takeMany(limits, 15)
      await command('CONFIG', 'SET', 'maxmemory', '0')
      await untilHealthy(limits)
    }
    expect(allowed).toBe(2 * limit.burst)
  })

  it.each([
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0'], 'OOM'],
    ['has become a replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE'], 'READONLY'],
    ['refuses the commands', ['ACL', 'SETUSER', 'default', '-@scripting'], ['ACL', 'SETUSER', 'default', '+@all'], 'NOPERM'],
    ['replies too late', ['CLIENT', 'PAUSE', '60000', 'WRITE'], ['CLIENT', 'UNPAUSE'], 'TIMEOUT'],
  ] as const)('are counted in the database while Redis %s', async (_, breaking, mending, reason) => {
    const limits = await openHealthy(reason === 'TIMEOUT' ? 300 : PATIENT)
    await command(...breaking)
    const decision: RateLimitDecision = await take(limits)
    expect(decision.allowed).toBe(true)
    expect(database.calls()).toBe(1)
    expect(new Set(reasons())).toEqual(new Set([reason]))
    expect(await limits.health()).toBe('unhealthy')
    await command(...mending)
    await untilHealthy(limits)
  })

  it('give requests back in Redis, even if Redis is full', async () => {
    const limits = await openHealthy()
    for (let time = 0; time < 3; time += 1) await take(limits)
    await command('CONFIG', 'SET', 'maxmemory', '1')
    await limits.giveBack('authentication:user:1', limit, clockStart)
    await command('CONFIG', 'SET', 'maxmemory', '0')
    expect(await take(limits)).toMatchObject({ remaining: limit.burst - 3 })
    expect(database.calls()).toBe(0)
    expect(reasons()).toEqual([])
  })

  it('give requests back in the database while Redis is away', async () => {
    const limits = open(redis.url, PATIENT)
    await redis.remove()
    expect(await limits.health()).toBe('unhealthy')
    await take(limits)
    await limits.giveBack('authentication:user:1', limit, clockStart)
    expect(await take(limits)).toMatchObject({ remaining: limit.burst - 1 })
    redis = await startRedis({ port: redis.port })
  })

  it.each(['OOM', 'READONLY'])('are unhealthy at %s, even before a request fails', async (reason) => {
    const limits = await openHealthy()
    if (reason === 'OOM') await command('CONFIG', 'SET', 'maxmemory', '1')
    else await command('REPLICAOF', '127.0.0.1', '1')
    clock.advance(1000)
    expect(await limits.health()).toBe('unhealthy')
    expect(reasons()).toEqual([reason])
  })

  it('replace a connection that was closed while idle', async () => {
    const limits = await openHealthy()
    await command('CLIENT', 'KILL', 'TYPE', 'normal')
    await untilHealthy(limits)
    expect(await takeMany(limits, 5)).toBe(5)
  })

  it('are counted in the database if the password is wrong, and do not log the password', async () => {
    await command('CONFIG', 'SET', 'requirepass', 'correct')
    const { port } = redis
    const wrong = open(`redis://:canary@127.0.0.1:${port}`, PATIENT)
    const missing = open(`redis://127.0.0.1:${port}`, PATIENT)
    expect(await wrong.health()).toBe('unhealthy')
    expect(await missing.health()).toBe('unhealthy')
    expect((await take(wrong)).allowed).toBe(true)
    expect(reasons()).toEqual(['WRONGPASS', 'NOAUTH'])
    expect(JSON.stringify(logger.entries)).not.toContain('canary')
    const right = open(`redis://:correct@127.0.0.1:${port}`, PATIENT)
    expect(await right.health()).toBe('healthy')
  })

  it('are counted in the database if another program than Redis listens', async () => {
    const other = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    )
    await expect.poll(() => other.listening).toBe(true)
    const { port } = other.address() as { readonly port: number }
    const limits = open(`redis://127.0.0.1:${port}`, PATIENT)
    expect(await limits.health()).toBe('unhealthy')
    expect(await takeMany(limits, 30)).toBe(limit.burst)
    other.close()
  })

  describe('after close', () => {
    it('leave no connection open, even if Redis hangs', async () => {
      const limits = await openHealthy(200)
      redis.freeze()
      await take(limits)
      const time = startStopwatch()
      await limits.close()
      expect(time()).toBeLessThan(5000)
      redis.thaw()
      await expect
        .poll(
          async () =>
            String(await command('CLIENT', 'LIST'))
              .trim()
              .split('\n').length,
        )
        .toBe(1)
    })

    it('do not connect again', async () => {
      const limits = await openHealthy()
      await limits.close()
      expect((await take(limits)).allowed).toBe(true)
      expect(await limits.health()).toBe('unhealthy')
      expect(database.calls()).toBe(1)
    })
  })
})
