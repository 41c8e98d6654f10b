import { describe, expect, it } from 'vitest'
import { errorBodyOf } from '../../testing/error-body.ts'
import { signIn, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'

describe('GET /internal/verify', () => {
  it('returns the claims of a token as a bare object', async () => {
    const test = await createTestApp()
    const { user, token, deviceToken, device } = await signInWithDevice(test)
    const web = await test.call('internal.verify', { serviceName: 'billing' }, { token })
    const claims = { id: user.id, email: user.email, permissions: [] }
    expect([web.status, web.body]).toEqual([
      200,
      { valid: true, claims: { ...claims, token_use: 'access', device_id: null, trust_level: 'standard' } },
    ])
    const mobile = await test.call('internal.verify', { serviceName: 'billing' }, { token: deviceToken })
    expect(mobile.body).toEqual({
      valid: true,
      claims: { ...claims, token_use: 'biometric_access', device_id: device.id, trust_level: 'high' },
    })
  })

  it('returns the permissions that hold in a tenant, and lists the tenants in extended answers only', async () => {
    const test = await createTestApp()
    const { user, token } = await signIn(test)
    const permissions = ['project.read', 'payment.approve@acme', 'payment.*@acme.eu']
    await test.countersign.users.grant({ email: user.email, permissions })
    const ask = async (query = '', headers = {}) => {
      const given = { 'x-service-name': 'billing', ...headers }
      return (await test.send('GET', `/internal/verify${query}`, { token, headers: given })).body
    }
    const claims = { id: user.id, email: user.email, token_use: 'access', device_id: null, trust_level: 'standard' }
    expect(await ask()).toEqual({ valid: true, claims: { ...claims, permissions: ['project.read'] } })
    expect(await ask('?tenant=acme')).toEqual({
      valid: true,
      claims: { ...claims, permissions: ['payment.approve', 'project.read'] },
    })
    expect(await ask('?tenant=other')).toEqual(await ask())
    const tenants = { acme: ['payment.approve'], 'acme.eu': ['payment.*'] }
    expect(await ask('', { 'countersign-extended': '1' })).toEqual({
      valid: true,
      claims: { ...claims, permissions: ['project.read'], directoryId: null, tenants },
    })
    expect(await ask('?tenant=a%20b')).toEqual(
      errorBodyOf(400, 'tenant: must be 1 to 64 characters of A-Z, a-z, 0-9 and . _ : -'),
    )
  })

  it('returns the claims of a service’s own token', async () => {
    const test = await createTestApp()
    const { token } = await test.countersign.serviceTokens.issue({ service: 'billing', scopes: ['project.read'] })
    const { body } = await test.call('internal.verify', { serviceName: 'billing' }, { token })
    expect(body).toEqual({
      valid: true,
      claims: {
        id: null,
        email: null,
        permissions: ['project.read'],
        token_use: 'service',
        device_id: null,
        trust_level: null,
        service_name: 'billing',
      },
    })
  })

  it.each([[undefined], ['Basic dXNlcjpwYXNz'], ['Bearer'], ['Bearer a b'], ['Bearer a,Bearer b']])(
    'gives the bare refusal when the header is %s',
    async (authorization) => {
      const test = await createTestApp()
      const headers = authorization === undefined ? {} : { authorization }
      const { status, body } = await test.call('internal.verify', { serviceName: 'billing' }, { headers })
      expect([status, body]).toEqual([401, { valid: false, message: 'Authentication required', statusCode: 401 }])
    },
  )

  it('requires the name of the calling service', async () => {
    const test = await createTestApp()
    const { token } = await signIn(test)
    const message = 'X-Service-Name: must be 1 to 64 of A-Z, a-z, 0-9, dot, underscore, slash, hyphen, and spaces in between'
    for (const path of ['/internal/verify', '/internal/verify?serviceName=billing']) {
      const { status, body } = await test.send('GET', path, { token })
      expect([status, body]).toEqual([400, errorBodyOf(400, message)])
    }
    const { status } = await test.call('internal.verify', { serviceName: 'Bad,Name' }, { token })
    expect(status).toBe(400)
  })
})
