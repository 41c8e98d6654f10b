import { errors } from '@countersign/core'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'

describe('GET /health', () => {
  it('reports each part in a bare object', async () => {
    const test = await createTestApp()
    test.clock.advance(61_500)
    const { status, body } = await test.call('health.check')
    expect([status, body]).toEqual([
      200,
      {
        status: 'healthy',
        timestamp: '2026-01-05T09:01:01.500Z',
        version: '1.2.3',
        services: { database: 'healthy', cache: 'not_configured', push_provider: 'healthy' },
        uptime: 61,
      },
    ])
  })

  it('answers 503 when the database is unavailable', async () => {
    const storage = await createTestStorage()
    const test = await createTestApp({ storage })
    await storage.close()
    const { status, body } = await test.call('health.check')
    expect([status, body]).toEqual([503, expect.objectContaining({ status: 'unhealthy' })])
    expect(body).toMatchObject({ services: { database: 'unhealthy' } })
  })

  it('answers HEAD like GET, without a body', async () => {
    const test = await createTestApp()
    const { status, text, headers } = await test.send('HEAD', '/health')
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('x-frame-options')).toBe('DENY')
  })
})

describe('GET /health/live', () => {
  it('answers as long as the process runs, also without a database', async () => {
    const storage = await createTestStorage()
    const test = await createTestApp({ storage })
    await storage.close()
    const { status, body } = await test.call('health.live')
    expect([status, body]).toEqual([200, { status: 'live' }])
  })
})

describe('GET /health/ready', () => {
  it('answers 200 while the database accepts writes', async () => {
    const { status, body } = await (await createTestApp()).call('health.ready')
    expect([status, body]).toEqual([200, { status: 'ready', timestamp: '2026-01-05T09:00:00.000Z' }])
  })

  it('answers 503 without a cause if the database accepts no writes, while /health does not change', async () => {
    let isFull = true
    const probeWrites = async (): Promise<void> => {
      if (isFull) throw new errors.Unavailable(undefined, { reason: 'database_full' })
    }
    const test = await createTestApp({ storage: { ...(await createTestStorage()), probeWrites } })
    for (let request = 0; request < 2; request += 1) {
      const { status, body } = await test.call('health.ready')
      expect([status, body]).toEqual([503, { status: 'unready', timestamp: expect.any(String) }])
    }
    expect((await test.call('health.check')).status).toBe(200)
    isFull = false
    test.clock.advance(1000)
    expect((await test.call('health.ready')).status).toBe(200)
    const changes = test.logger.entries.filter(({ event }) => event === 'unready' || event === 'ready')
    expect(changes).toMatchObject([
      { level: 'warn', event: 'unready', fields: { reason: 'database_full' } },
      { level: 'info', event: 'ready' },
    ])
  })
})

describe('a server that is about to stop', () => {
  it('answers 503 with the status `draining`, except at /health/live', async () => {
    let isDraining = false
    const test = await createTestApp({ app: { isDraining: () => isDraining } })
    expect((await test.call('health.check')).status).toBe(200)
    isDraining = true
    const health = await test.call('health.check')
    expect([health.status, health.body]).toEqual([
      503,
      expect.objectContaining({ status: 'draining', services: expect.objectContaining({ database: 'healthy' }) }),
    ])
    const ready = await test.call('health.ready')
    expect([ready.status, ready.body]).toEqual([503, { status: 'draining', timestamp: expect.any(String) }])
    expect((await test.call('health.live')).status).toBe(200)
    expect(test.logger.entries.filter(({ event }) => /healthy|ready/.test(event))).toEqual([])
  })
})

it('an unhealthy database is logged with its cause, once', async () => {
  const storage = await createTestStorage()
  const test = await createTestApp({ storage })
  await storage.close()
  await test.call('health.check')
  test.clock.advance(1000)
  await test.call('health.check')
  expect(test.logger.entries.filter(({ event }) => event === 'unhealthy')).toMatchObject([
    { level: 'warn', fields: { reason: 'database_closed' } },
  ])
})
