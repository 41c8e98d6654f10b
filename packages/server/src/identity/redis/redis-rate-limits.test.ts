import { createServer } from 'node:net'
import { defaultRateLimits, type RateLimitDecision, type RateLimitStore } from '@countersign/core'
import { clockStart, createMemoryStorage, fakeClock, type RecordingLogger, recordingLogger } from '@countersign/core/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeWithRedisServers } from '../../../../../tools/testing/describe-with-redis.ts'
import { type RedisServer, startRedis } from '../../../../../tools/testing/start-redis.ts'
import { redisCommand } from '../../testing/redis-command.ts'
import { type RedisRateLimits, redisRateLimits } from './redis-rate-limits.ts'

// Real processes: on a busy machine they take their time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const PATIENT = 30_000

const limit = defaultRateLimits.authentication

/** A store in memory in the place of the database's, and how often it was asked. */
const countingStore = (): { readonly store: RateLimitStore; readonly asked: () => number } => {
  const { rateLimits } = createMemoryStorage()
  let asked = 0
  const take: RateLimitStore['take'] = (...given) => {
    asked += 1
    return rateLimits.take(...given)
  }
  return { store: { take }, asked: () => asked }
}

describeWithRedisServers('rate limits in Redis', () => {
  let redis: RedisServer
  let database: ReturnType<typeof countingStore>
  let logger: RecordingLogger
  const opened: RedisRateLimits[] = []

  beforeEach(async () => {
    redis = await startRedis()
    database = countingStore()
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
  /** Counting in Redis, which may take its time with an answer. */
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

  it('are counted there and nowhere else, while it is well', async () => {
    const limits = await openHealthy()
    expect(await takeMany(limits, 50)).toBe(limit.burst)
    expect(database.asked()).toBe(0)
    expect(logger.entries).toEqual([{ level: 'info', event: 'redis_connected', fields: {} }])
  })

  it('are the same for all who count there', async () => {
    const [one, other] = [await openHealthy(), await openHealthy()]
    const decisions = await Promise.all(Array.from({ length: 500 }, (_, index) => take(index % 2 === 0 ? one : other)))
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(limit.burst)
    expect(database.asked()).toBe(0)
  })

  it('open nothing before they are asked for something', async () => {
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

  it('are counted in the database until the first connection stands', async () => {
    const limits = open(redis.url, PATIENT)
    expect((await take(limits)).allowed).toBe(true)
    expect(database.asked()).toBe(1)
    await untilHealthy(limits)
    await take(limits)
    expect(database.asked()).toBe(1)
  })

  it('are counted in the database as soon as Redis is gone, and in Redis once it is back', async () => {
    const limits = await openHealthy()
    expect(await takeMany(limits, 30)).toBe(limit.burst)
    await redis.remove()
    expect(await takeMany(limits, 30)).toBe(limit.burst)
    expect(database.asked()).toBe(30)
    expect(await limits.health()).toBe('unhealthy')
    redis = await startRedis({ port: redis.port })
    await untilHealthy(limits)
    expect(await takeMany(limits, 30)).toBe(limit.burst)
    expect(database.asked()).toBe(30)
  })

  it('are told of an outage once, and of its end', async () => {
    const limits = await openHealthy()
    await redis.remove()
    await expect.poll(() => reasons().at(-1), { timeout: PATIENT }).toBe('ECONNREFUSED')
    for (let time = 0; time < 20; time += 1) await take(limits)
    // How the connection broke, and then why there is no other.
    expect(reasons().length).toBeLessThanOrEqual(2)
    redis = await startRedis({ port: redis.port })
    await untilHealthy(limits)
    expect(logger.entries.at(-1)).toMatchObject({ level: 'info', event: 'redis_connected' })
  })

  it('are still known in Redis after an outage in which it only hung', async () => {
    const patient = await openHealthy()
    expect(await takeMany(patient, 30)).toBe(limit.burst)
    const limits = await openHealthy(200)
    redis.freeze()
    expect(await takeMany(limits, 5)).toBe(5)
    redis.thaw()
    await untilHealthy(limits)
    expect(await takeMany(patient, 5)).toBe(0)
  })

  it('wait once where Redis hangs, all together, and then no more', async () => {
    const limits = await openHealthy(200)
    redis.freeze()
    const frozenAt = performance.now()
    const decisions = await Promise.all(Array.from({ length: 200 }, () => take(limits)))
    const firstWait = performance.now() - frozenAt
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(limit.burst)
    expect(new Set(reasons())).toEqual(new Set(['TIMEOUT']))
    // Each of these would wait as long, if it asked.
    const startedAt = performance.now()
    for (let time = 0; time < 500; time += 1) await take(limits)
    const laterWaits = performance.now() - startedAt
    expect(database.asked()).toBe(700)
    expect(firstWait).toBeLessThan(5000)
    expect(laterWaits).toBeLessThan(5000)
    expect(await limits.health()).toBe('unhealthy')
  })

  it('never allow more than twice the limit, however often Redis goes and comes', async () => {
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
    ['may not be used any more', ['ACL', 'SETUSER', 'default', '-@scripting'], ['ACL', 'SETUSER', 'default', '+@all'], 'NOPERM'],
    ['answers too late', ['CLIENT', 'PAUSE', '60000', 'WRITE'], ['CLIENT', 'UNPAUSE'], 'TIMEOUT'],
  ] as const)('are counted in the database while Redis %s', async (_, breaking, mending, reason) => {
    const limits = await openHealthy(reason === 'TIMEOUT' ? 300 : PATIENT)
    await command(...breaking)
    const decision: RateLimitDecision = await take(limits)
    expect(decision.allowed).toBe(true)
    expect(database.asked()).toBe(1)
    expect(new Set(reasons())).toEqual(new Set([reason]))
    expect(await limits.health()).toBe('unhealthy')
    await command(...mending)
    await untilHealthy(limits)
  })

  it.each(['OOM', 'READONLY'])('are unhealthy without a request having met %s', async (reason) => {
    const limits = await openHealthy()
    if (reason === 'OOM') await command('CONFIG', 'SET', 'maxmemory', '1')
    else await command('REPLICAOF', '127.0.0.1', '1')
    clock.advance(1000)
    expect(await limits.health()).toBe('unhealthy')
    expect(reasons()).toEqual([reason])
  })

  it('find a connection that was cut while nobody used it', async () => {
    const limits = await openHealthy()
    await command('CLIENT', 'KILL', 'TYPE', 'normal')
    await untilHealthy(limits)
    expect(await takeMany(limits, 5)).toBe(5)
  })

  it('go on where the password is wrong, and do not tell it', async () => {
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

  it('are not upset by something that is no Redis', async () => {
    const other = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    )
    await vi.waitFor(() => expect(other.listening).toBe(true))
    const { port } = other.address() as { readonly port: number }
    const limits = open(`redis://127.0.0.1:${port}`, PATIENT)
    expect(await limits.health()).toBe('unhealthy')
    expect(await takeMany(limits, 30)).toBe(limit.burst)
    other.close()
  })

  describe('that are closed', () => {
    it('leave nothing behind while Redis hangs', async () => {
      const limits = await openHealthy(200)
      redis.freeze()
      await take(limits)
      const startedAt = performance.now()
      await limits.close()
      expect(performance.now() - startedAt).toBeLessThan(5000)
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

    it('are not opened again', async () => {
      const limits = await openHealthy()
      await limits.close()
      expect((await take(limits)).allowed).toBe(true)
      expect(await limits.health()).toBe('unhealthy')
      expect(database.asked()).toBe(1)
    })
  })
})
