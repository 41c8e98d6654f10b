import { createTestUser, testPassword } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { serviceToken, signIn, signInWithDevice } from '../testing/sign-in.ts'
import { createTestApp } from '../testing/test-app.ts'

describe('the request log', () => {
  it('has one line per request, with the route template and no request data', async () => {
    const test = await createTestApp()
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
          code: 'confirmation_not_found',
          userId: 1,
        },
      },
      expect.objectContaining({ fields: expect.objectContaining({ method: 'other', route: 'unknown', status: 404 }) }),
    ])
    expect(JSON.stringify(lines)).not.toContain('secret')
  })

  it('names the session of a refresh, also of a refused one, and the code of a refusal', async () => {
    const test = await createTestApp()
    const { tokens } = await signIn(test)
    const { refreshToken } = tokens
    const before = test.logger.entries.length
    await test.call('auth.refresh', { refreshToken })
    await test.call('auth.refresh', { refreshToken })
    await test.call('auth.refresh', { refreshToken: 'no token' })
    const lines = test.logger.entries.slice(before).filter(({ event }) => event === 'request')
    const [sessionId] = (await test.storage.sessions.ofUser(1)).map(({ id }) => id)
    expect(lines.map(({ fields }) => [fields.status, fields.sessionId, fields.code])).toEqual([
      [200, sessionId, undefined],
      [401, sessionId, 'invalid_refresh_token'],
      [401, undefined, 'invalid_refresh_token'],
    ])
  })

  it('contains successful frequent calls of machines only at debug level', async () => {
    const test = await createTestApp()
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

  it('names the user and the device, or the service, that called', async () => {
    const test = await createTestApp()
    const user = await signInWithDevice(test)
    const before = test.logger.entries.length
    await test.call('devices.list', {}, { token: user.token })
    await test.call('confirmations.pending', {}, { token: user.deviceToken })
    await test.call('services.confirmation', { confirmationId: 'conf_none' }, { token: await serviceToken(test) })
    await test.call('health.check', {})
    expect(test.logger.entries.slice(before).map(({ fields }) => [fields.userId, fields.deviceId, fields.service])).toEqual([
      [user.user.id, undefined, undefined],
      [user.user.id, user.device.id, undefined],
      [undefined, undefined, 'billing'],
      [undefined, undefined, undefined],
    ])
  })

  it('names the user of a login, and nobody if the login is refused', async () => {
    const test = await createTestApp()
    const { user } = await signIn(test)
    const before = test.logger.entries.length
    await test.call('auth.login', { email: user.email, password: testPassword })
    await test.call('auth.login', { email: user.email, password: 'wrong-password-1' })
    const lines = test.logger.entries.slice(before).filter(({ event }) => event === 'request')
    expect(lines.map(({ fields }) => [fields.status, fields.userId])).toEqual([
      [200, user.id],
      [401, undefined],
    ])
  })

  it('names the user of a request that is refused after the authentication', async () => {
    const test = await createTestApp()
    const { token, user } = await signIn(test, await createTestUser(test, { permissions: [] }))
    const before = test.logger.entries.length
    await test.call('projects.list', {}, { token })
    expect(test.logger.entries.slice(before).map(({ fields }) => [fields.status, fields.userId])).toEqual([[403, user.id]])
  })

  it('has the address of the client only if the option is on', async () => {
    const on = await createTestApp({ app: { logAddresses: true } })
    await on.send('GET', '/nothing', { address: '2001:db8:1:2:3::4' })
    const off = await createTestApp()
    await off.send('GET', '/nothing', { address: '2001:db8:1:2:3::4' })
    expect(on.logger.entries.map(({ fields }) => fields.address)).toEqual(['2001:db8:1:2::/64'])
    expect(JSON.stringify(off.logger.entries)).not.toContain('2001')
  })

  it('can be switched off by a host that logs itself', async () => {
    const test = await createTestApp({ app: { logRequests: false } })
    await test.call('health.check')
    expect(test.logger.entries).toEqual([])
  })
})
