import { describe, expect, it } from 'vitest'
import { signIn } from '../testing/sign-in.ts'
import { createTestApp } from '../testing/test-app.ts'

describe('the log', () => {
  it('has one line for each request, with the route’s template and nothing that was sent', async () => {
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

  it('can be left to whatever stands around the app', async () => {
    const test = createTestApp({ app: { logRequests: false } })
    await test.call('health.check')
    expect(test.logger.entries).toEqual([])
  })
})
