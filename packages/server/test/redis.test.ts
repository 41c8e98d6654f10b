import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultRateLimits } from '@countersign/core'
import { fakeClock, recordingLogger } from '@countersign/core/testing'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeWithRedisServers } from '../../../tools/testing/describe-with-redis.ts'
import { freePort } from '../../../tools/testing/free-port.ts'
import { type RedisServer, startRedis } from '../../../tools/testing/start-redis.ts'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { redisRateLimits } from '../src/identity/rate-limits/redis-rate-limits.ts'
import { concurrently, statusesOf } from '../src/testing/race.ts'
import { type ServerProcess, startServerProcess } from '../src/testing/server-process.ts'
import { createTestApp } from '../src/testing/test-app.ts'

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const PATIENT = 60_000
/** The burst and refill interval of the category `authentication`. */
const { burst: BURST, refillMs: REFILL } = defaultRateLimits.authentication

describeWithRedisServers('Redis beside the database', () => {
  let cwd: string
  let redis: RedisServer
  const servers: ServerProcess[] = []

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'countersign-redis-app-'))
    redis = await startRedis()
  })
  afterEach(async () => {
    for (const { kill } of servers) kill('SIGKILL')
    await Promise.all(servers.splice(0).map(({ exited }) => exited))
    await redis.remove()
    await rm(cwd, { recursive: true })
  })

  describe('two apps that share only Redis', () => {
    it('share a rate limit exactly under 500 concurrent requests', async () => {
      const clock = fakeClock()
      const makeApp = async () => {
        const fallback = (await createTestStorage()).rateLimits
        const limits = redisRateLimits({ url: redis.url, fallback, logger: recordingLogger(), clock, answerTime: PATIENT })
        return { limits, app: await createTestApp({ clock, rateLimitStore: limits, cacheHealth: limits.health }) }
      }
      const apps = [await makeApp(), await makeApp()]
      for (const { app } of apps) {
        expect(await app.ask('health.check', {})).toMatchObject({ status: 'healthy', services: { cache: 'healthy' } })
      }
      const answers = await concurrently(500, async (index) => {
        const app = apps[index % 2]?.app
        if (app === undefined) throw new Error('there is no such app')
        return app.call('auth.refresh', { refreshToken: 'none' })
      })
      expect(statusesOf(answers)).toEqual({ 401: BURST, 429: 500 - BURST })
      await Promise.all(apps.map(({ limits }) => limits.close()))
    })
  })

  describe('servers on one database and one Redis', () => {
    const start = async (): Promise<ServerProcess> => {
      const server = await startServerProcess({
        cwd,
        env: { COUNTERSIGN_REDIS_URL: redis.url, COUNTERSIGN_TRUST_PROXY: '1' },
      })
      servers.push(server)
      return server
    }
    const cacheOf = async ({ url }: ServerProcess): Promise<unknown> => {
      const response = await fetch(`${url}/health`)
      const { status, services } = (await response.json()) as { status: string; services: { cache: string } }
      expect([response.status, status]).toEqual([200, 'healthy'])
      return services.cache
    }
    const untilCache = (status: string) =>
      expect.poll(() => Promise.all(servers.map(cacheOf)), { timeout: PATIENT, interval: 100 }).toEqual(servers.map(() => status))

    /** Sends one request for a client: 400 within the limit, because the input is empty, and 429 above it. */
    const send = async ({ url }: ServerProcess, client: string): Promise<number> => {
      const response = await fetch(`${url}/api/v1/auth/mobile/biometric`, {
        method: 'POST',
        headers: { 'x-forwarded-for': client },
      })
      await response.arrayBuffer()
      return response.status
    }
    /** Sends more than the burst concurrently to both servers. Expects exactly the burst, plus one for each refill since. */
    const expectTheBurst = async (client: string): Promise<void> => {
      const [one, other] = servers as [ServerProcess, ServerProcess]
      const startedAt = performance.now()
      const answers = await concurrently(2 * BURST, async (index) => ({
        status: await send(index % 2 === 0 ? one : other, client),
      }))
      const refilled = Math.floor((performance.now() - startedAt) / REFILL)
      const { 400: allowed = 0, ...others } = statusesOf(answers)
      expect(allowed).toBeGreaterThanOrEqual(BURST)
      expect(allowed).toBeLessThanOrEqual(BURST + refilled)
      expect(others).toEqual({ 429: 2 * BURST - allowed })
    }

    /** Runs eight clients that send sequential requests under changing addresses until they are stopped. */
    const startLoad = () => {
      const seen = { statuses: new Map<number, number>(), failed: 0, slowest: 0 }
      let isOver = false
      const client = async (number: number): Promise<void> => {
        for (let time = 0; !isOver; time += 1) {
          const server = servers[time % servers.length] as ServerProcess
          const took = startStopwatch()
          try {
            const status = await send(server, `10.${number}.${(time >> 8) & 255}.${time & 255}`)
            seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1)
          } catch {
            seen.failed += 1
          }
          seen.slowest = Math.max(seen.slowest, took())
        }
      }
      const clients = Promise.all(Array.from({ length: 8 }, (_, number) => client(number)))
      const stop = async () => {
        isOver = true
        await clients
        return seen
      }
      return stop
    }

    it('answer every request and keep the limits while Redis hangs, stops and returns under load', async () => {
      await start()
      await start()
      await untilCache('healthy')
      const outages: readonly (readonly [what: string, begin: () => Promise<void>, end: () => Promise<void>])[] = [
        ['frozen', async () => redis.freeze(), async () => redis.thaw()],
        [
          'gone',
          () => redis.remove(),
          async () => {
            redis = await startRedis({ port: redis.port })
          },
        ],
        ['frozen again', async () => redis.freeze(), async () => redis.thaw()],
      ]
      for (const [number, [what, begin, end]] of outages.entries()) {
        const stop = startLoad()
        await begin()
        await untilCache('unhealthy')
        // The database has not counted this client before.
        await expectTheBurst(`198.51.100.${number}`)
        const time = startStopwatch()
        await end()
        await untilCache('healthy')
        const back = Math.round(time())
        const { statuses, failed, slowest } = await stop()
        const answered = statuses.get(400)
        process.stdout.write(
          `Redis ${what} under load: ${answered} answered, slowest ${Math.round(slowest)} ms, back after ${back} ms\n`,
        )
        expect([...statuses.keys()], what).toEqual([400])
        expect(failed).toBe(0)
        // Far above the usual time, because the machine may be busy.
        expect(slowest).toBeLessThan(5000)
        expect(back).toBeLessThan(30_000)
      }
      const levels = servers.flatMap(({ lines }) => lines.map(({ level, event }) => `${String(level)} ${String(event)}`))
      expect(levels).toContain('warn redis_away')
      expect(levels.filter((line) => !line.startsWith('info') && line !== 'warn redis_away')).toEqual([])
    })

    it('start without Redis, and use Redis when it becomes available', async () => {
      await redis.remove()
      await start()
      await start()
      await untilCache('unhealthy')
      await expectTheBurst('198.51.100.1')
      redis = await startRedis({ port: redis.port })
      await untilCache('healthy')
      const events = servers[0]?.lines.map(({ event }) => event).filter((event) => String(event).startsWith('redis'))
      expect(events?.slice(0, 1)).toEqual(['redis_away'])
      expect(events).toContain('redis_connected')
    })

    it('stop in time while Redis hangs', async () => {
      const server = await start()
      redis.freeze()
      await untilCache('unhealthy')
      const time = startStopwatch()
      server.kill('SIGTERM')
      expect(await server.exited).toBe(0)
      expect(time()).toBeLessThan(10_000)
    })
  })

  describeWithRedisServers('a server with a rediss URL', () => {
    const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd, stdio: 'ignore' })

    it('connect by TLS only to a Redis whose certificate is valid', async () => {
      const key = join(cwd, 'key.pem')
      const certificate = join(cwd, 'certificate.pem')
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
      openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', certificate, ...subject)
      const tls = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
      const tlsPort = await freePort()
      const encrypted = await startRedis({
        settings: ['--tls-port', String(tlsPort), '--tls-auth-clients', 'no', '--requirepass', 'a/b?c', ...tls],
      })
      try {
        const env = { COUNTERSIGN_REDIS_URL: `rediss://:a%2Fb%3Fc@localhost:${tlsPort}` }
        const trusting = await startServerProcess({ cwd, env: { ...env, NODE_EXTRA_CA_CERTS: certificate } })
        servers.push(trusting)
        // The first report may come before the encrypted connection does.
        const cacheOf = async () =>
          ((await (await fetch(`${trusting.url}/health`)).json()) as { services: { cache: string } }).services.cache
        await expect.poll(cacheOf).toBe('healthy')
        const doubting = await startServerProcess({ cwd, env })
        servers.push(doubting)
        expect(await (await fetch(`${doubting.url}/health`)).json()).toMatchObject({ services: { cache: 'unhealthy' } })
        expect(doubting.lines).toContainEqual(
          expect.objectContaining({ event: 'redis_away', reason: expect.stringMatching(/^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT/) }),
        )
        expect(JSON.stringify([...trusting.lines, ...doubting.lines])).not.toMatch(/a\/b\?c|a%2Fb/)
      } finally {
        await encrypted.remove()
      }
    })
  }, ['openssl'])
})
