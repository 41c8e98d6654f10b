import { createServer } from 'node:net'
import { defaultRateLimits, type RateLimit } from '@countersign/core'
import { decideRateLimit } from '@countersign/core/storage'
import { clockStart } from '@countersign/core/testing'
import { describeRateLimitStore } from '@countersign/core/testing/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  describeWithRedis,
  describeWithRedisServers,
  openSharedRedis,
  type SharedRedis,
} from '../../../../../tools/testing/describe-with-redis.ts'
import { freePort } from '../../../../../tools/testing/free-port.ts'
import { type RedisServer, startRedis } from '../../../../../tools/testing/start-redis.ts'
import { redisCommand } from '../../testing/redis-command.ts'
import { openRedis, type RedisConnection } from './open-redis.ts'

/** Milliseconds. Long, because these tests check the replies and not the speed of a busy machine. */
const PATIENT = 30_000
const limit = defaultRateLimits.authentication

describeWithRedis('a connection to Redis', () => {
  describeRateLimitStore('Redis', async () => {
    const redis = await openSharedRedis()
    const connection = await openRedis({ url: redis.url, answerTime: PATIENT }, clockStart)
    const close = async () => {
      connection.close()
      await redis.remove()
    }
    return { store: connection, close }
  })
})

describeWithRedis('two connections to Redis', () => {
  let redis: SharedRedis
  let connections: readonly RedisConnection[]
  beforeAll(async () => {
    redis = await openSharedRedis()
    const open = () => openRedis({ url: redis.url, answerTime: PATIENT }, clockStart)
    connections = await Promise.all([open(), open()])
  })
  afterAll(async () => {
    for (const { close } of connections) close()
    await redis.remove()
  })

  it('count a limit together exactly, also for concurrent requests', async () => {
    const key = `authentication:${crypto.randomUUID()}`
    const take = async (index: number) => connections[index % 2]?.take(key, limit, clockStart)
    const decisions = await Promise.all(Array.from({ length: 1000 }, (_, index) => take(index)))
    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(limit.burst)
  })
})

describeWithRedisServers('the data in Redis', () => {
  let redis: RedisServer
  let connection: RedisConnection
  beforeAll(async () => {
    redis = await startRedis()
    connection = await openRedis({ url: redis.url, answerTime: PATIENT }, clockStart)
  })
  afterAll(async () => {
    connection.close()
    await redis.remove()
  })
  const command = (...words: readonly string[]) => redisCommand(redis.url, ...words)
  const standing = 'countersign:rate-limit:standing'

  it('are one key for each limit, named after the counted category and caller', async () => {
    await connection.take('confirmation:user:7', limit, clockStart)
    expect(((await command('KEYS', '*')) as string[]).sort()).toEqual([
      'countersign:rate-limit:confirmation:user:7',
      'countersign:rate-limit:probe',
    ])
  })

  it('have at most as many stored times as the ceiling allows', async () => {
    const ceiling: RateLimit = { burst: 5, refillMs: 1, windowMax: 3, windowMs: 10 }
    for (let now = clockStart; now < clockStart + 100; now += 5) await connection.take('standing', ceiling, now)
    const times = (await command('LRANGE', standing, '0', '-1')) as string[]
    expect(times).toHaveLength(ceiling.windowMax + 1)
    for (const time of times) expect(Number(time)).toBeGreaterThan(clockStart)
  })

  it('expire an hour after they last had an effect', async () => {
    await connection.take('expiring', limit, clockStart)
    const left = Number(await command('PTTL', 'countersign:rate-limit:expiring'))
    const held = limit.windowMs + 3_600_000
    expect(left).toBeLessThanOrEqual(held)
    expect(left).toBeGreaterThan(held - PATIENT)
  })

  it('expire even if a change of the clock has emptied them', async () => {
    const slow: RateLimit = { burst: 2, refillMs: 1500, windowMax: 1, windowMs: 1000 }
    const take = (at: number) => connection.take('leaping', slow, clockStart + at)
    for (const at of [0, 1000, 2000, 3200]) expect((await take(at)).allowed).toBe(true)
    // The last request is too far ahead to count. Only the state of the bucket is left.
    expect(await take(2199)).toMatchObject({ allowed: false, refusedBy: 'burst' })
    expect(await command('LLEN', 'countersign:rate-limit:leaping')).toBe(1)
    expect(Number(await command('PTTL', 'countersign:rate-limit:leaping'))).toBeGreaterThan(0)
  })

  it('are not changed by a refused request', async () => {
    const take = () => connection.take('refused', limit, clockStart)
    for (let time = 0; time < limit.burst; time += 1) await take()
    const written = async () => /rdb_changes_since_last_save:(\d+)/.exec(String(await command('INFO', 'persistence')))?.[1]
    const before = await written()
    for (let time = 0; time < 50; time += 1) expect((await take()).allowed).toBe(false)
    expect(await written()).toBe(before)
  })

  it('still count after Redis has forgotten the script', async () => {
    await connection.take('forgotten', limit, clockStart)
    await command('SCRIPT', 'FLUSH')
    expect(await connection.take('forgotten', limit, clockStart)).toStrictEqual(
      decideRateLimit(limit, clockStart + limit.refillMs, undefined, clockStart),
    )
  })
})

describeWithRedisServers('opening a connection to Redis', () => {
  const refused = (url: string) => expect(openRedis({ url, answerTime: PATIENT }, clockStart)).rejects

  it('fails with the reason in one word, and without a password', async () => {
    const { port, remove } = await startRedis({ settings: ['--requirepass', 'correct'] })
    try {
      await refused(`redis://127.0.0.1:${port}`).toMatchObject({ code: 'NOAUTH' })
      for (const url of [`redis://:canary@127.0.0.1:${port}`, `redis://canary:canary@127.0.0.1:${port}`]) {
        const error: unknown = await openRedis({ url, answerTime: PATIENT }, clockStart).catch((reason: unknown) => reason)
        expect(error).toMatchObject({ name: 'RedisFailed', code: 'WRONGPASS' })
        expect(`${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain('canary')
      }
      const connection = await openRedis({ url: `redis://:correct@127.0.0.1:${port}/3`, answerTime: PATIENT }, clockStart)
      connection.close()
    } finally {
      await remove()
    }
  })

  it('works for a user with exactly the documented rights', async () => {
    const redis = await startRedis()
    try {
      const keys = '~countersign:rate-limit:*'
      const commands = 'eval evalsha lindex llen lset linsert ltrim rpush pexpire'.split(' ').map((name) => `+${name}`)
      await redisCommand(redis.url, 'ACL', 'SETUSER', 'limits', 'on', '>password', 'resetkeys', keys, '-@all', ...commands)
      const connection = await openRedis(
        { url: `redis://limits:password@127.0.0.1:${redis.port}`, answerTime: PATIENT },
        clockStart,
      )
      // In order, a later time, an earlier time, and after a change of the clock: together they use every command of the script.
      for (const at of [0, 10, 5, -2 * limit.windowMs]) {
        expect((await connection.take('authentication:user:1', limit, clockStart + at)).allowed).toBe(true)
      }
      connection.close()
    } finally {
      await redis.remove()
    }
  })

  it('fails if nothing listens, or another program than Redis listens', async () => {
    await refused(`redis://127.0.0.1:${await freePort()}`).toMatchObject({ code: 'ECONNREFUSED' })
    for (const answer of ['HTTP/1.1 400 Bad Request\r\n\r\n', '\0\u0001\u0002', '$-5\r\n']) {
      const other = createServer((socket) => socket.on('error', () => {}).end(answer)).listen(0, '127.0.0.1')
      const { port } = await new Promise<{ port: number }>((resolve) => {
        other.on('listening', () => resolve(other.address() as { port: number }))
      })
      await refused(`redis://127.0.0.1:${port}`).toMatchObject({ name: 'RedisFailed' })
      other.close()
    }
  })

  it('fails after a limited time if Redis accepts the connection and does not reply', async () => {
    const redis = await startRedis()
    redis.freeze()
    try {
      const url = `redis://127.0.0.1:${redis.port}`
      await expect(openRedis({ url, answerTime: 50 }, clockStart)).rejects.toMatchObject({ code: 'TIMEOUT' })
      await expect(openRedis({ url: `${url}/1`, answerTime: 50 }, clockStart)).rejects.toMatchObject({ code: 'TIMEOUT' })
    } finally {
      await redis.remove()
    }
  })
})
