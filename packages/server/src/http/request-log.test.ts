import { describe, expect, it } from 'vitest'
import { signIn } from '../testing/sign-in.ts'
import { createTestApp } from '../testing/test-app.ts'

describe('the request log', () => {
  it('has one line per request, with the route template and no request data', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    await test.call(
      'confirmations.status',
      { confirmationId: 'secret-id', query: 'secret-query' },
      { token, headers: { 'x-request-id': 'r-1' } },
    )
    await test.send('PURGE', '/secret-path')
    const lines = test.logger.entries.filter(({ event }) => event === 'request')
    expect(lines.slice(1)).toEqual([
      {
        level: 'info',
        event: 'request',
        fields: {
          requestId: 'r-1',
          method: 'GET',
          route: '/api/v1/auth/confirmation/{confirmationId}/status',
          status: 404,
          durationMs: expect.any(Number),
        },
      },
      expect.objectContaining({ fields: expect.objectContaining({ method: 'other', route: 'unknown', status: 404 }) }),
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('contains frequent machine calls only at debug level while they succeed', async () => {
    const test = createTestApp()
    const { token } = await signIn(test)
    await test.call('health.check')
    await test.call('internal.verify', { serviceName: 'billing' }, { token })
    await test.call('internal.verify', { serviceName: 'billing' }, { token: 'a.b.c' })
    await test.call('devices.list', {}, { token })
    const lines = test.logger.entries.filter(({ event }) => event === 'request').slice(1)
    expect(lines.map(({ level, fields }) => [level, fields.route, fields.status])).toEqual([
      ['debug', '/health', 200],
      ['debug', '/internal/verify', 200],
      ['info', '/internal/verify', 401],
      ['info', '/api/v1/auth/devices', 200],
    ])
  })

  it('can be left to the host', async () => {
    const test = createTestApp({ app: { logRequests: false } })
    await test.call('health.check')
    expect(test.logger.entries).toEqual([])
  })
})
