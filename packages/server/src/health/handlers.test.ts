import { createMemoryStorage } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'

describe('GET /health', () => {
  it('reports each part in a bare object', async () => {
    const test = createTestApp()
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
    const storage = createMemoryStorage()
    const test = createTestApp({ storage })
    await storage.close()
    const { status, body } = await test.call('health.check')
    expect([status, body]).toEqual([503, expect.objectContaining({ status: 'unhealthy' })])
    expect(body).toMatchObject({ services: { database: 'unhealthy' } })
  })

  it('answers HEAD like GET, without a body', async () => {
    const test = createTestApp()
    const { status, text, headers } = await test.send('HEAD', '/health')
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('x-frame-options')).toBe('DENY')
  })
})
