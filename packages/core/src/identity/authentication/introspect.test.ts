import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { createTestUser, signIn, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { InvalidAccessToken } from './errors.ts'

const refused = new InvalidAccessToken()

describe('a service that introspects a token', () => {
  it('gets the user and current permissions of a password login', async () => {
    const test = await createTestCountersign()
    const user = await createTestUser(test, { permissions: ['project.read'] })
    const { tokens } = await signIn(test, user)
    await test.countersign.users.grant({ email: user.email, permissions: ['project.update'] })
    const answer = await test.countersign.auth.introspect({ token: tokens.accessToken, serviceName: 'billing' })
    expect(answer).toStrictEqual({
      id: user.id,
      email: user.email,
      permissions: ['project.read', 'project.update'],
      token_use: 'access',
      device_id: null,
      trust_level: 'standard',
      directoryId: null,
      tenants: {},
    })
  })

  it('gets the device of a device login', async () => {
    const test = await createTestCountersign()
    const { user, device, mobile } = await signInNewDeviceUser(test)
    const answer = await test.countersign.auth.introspect({ token: mobile.tokens.accessToken, serviceName: 'billing' })
    expect(answer).toStrictEqual({
      id: user.id,
      email: user.email,
      permissions: [],
      token_use: 'biometric_access',
      device_id: device.id,
      trust_level: 'high',
      directoryId: null,
      tenants: {},
    })
  })

  it('gets the scopes of its own service token', async () => {
    const { countersign } = await createTestCountersign()
    const { token } = await countersign.serviceTokens.issue({ service: 'billing', scopes: ['verify', 'confirmation.read'] })
    expect(await countersign.auth.introspect({ token, serviceName: 'billing' })).toStrictEqual({
      id: null,
      email: null,
      permissions: ['confirmation.read', 'verify'],
      token_use: 'service',
      device_id: null,
      trust_level: null,
      directoryId: null,
      service_name: 'billing',
      tenants: {},
    })
  })

  it('gets the permissions of each tenant separately from those that hold everywhere, and on request those of one tenant', async () => {
    const test = await createTestCountersign()
    const permissions = ['project.read', 'payment.approve@acme', 'payment.*@zeta', 'project.read@acme', 'a.b@__proto__']
    const { tokens, caller } = await signIn(test, await createTestUser(test, { permissions }))
    const ask = (tenant?: string) =>
      test.countersign.auth.introspect({ token: tokens.accessToken, serviceName: 'billing', tenant })
    const answer = await ask()
    expect([answer.permissions, caller.permissions, decodeJwt(tokens.accessToken).permissions]).toStrictEqual(
      Array(3).fill(['project.read']),
    )
    expect(Object.entries(answer.tenants ?? {})).toStrictEqual([
      ['__proto__', ['a.b']],
      ['acme', ['payment.approve', 'project.read']],
      ['zeta', ['payment.*']],
    ])
    expect((await ask('acme')).permissions).toStrictEqual(['payment.approve', 'project.read'])
    expect((await ask('zeta')).permissions).toStrictEqual(['payment.*', 'project.read'])
    expect((await ask('acm')).permissions).toStrictEqual(['project.read'])
    await expect(ask('a b')).rejects.toBeInstanceOf(Invalid)
    const { auth } = test.countersign
    const inTenant = await auth.authenticate({ token: tokens.accessToken, tenant: 'zeta' })
    expect(inTenant.permissions).toStrictEqual(['payment.*', 'project.read'])
  })

  it('gets a hundred tenants, and the flag that there are more', async () => {
    const test = await createTestCountersign()
    const permissions = Array.from({ length: 100 }, (_, at) => `a.b@s${at}`)
    const user = await createTestUser(test, { permissions })
    const { tokens } = await signIn(test, user)
    const ask = () => test.countersign.auth.introspect({ token: tokens.accessToken, serviceName: 'billing' })
    expect([Object.keys((await ask()).tenants ?? {}).length, (await ask()).tenantsTruncated]).toStrictEqual([100, undefined])
    await test.countersign.users.grant({ email: user.email, permissions: ['a.b@one-more'] })
    expect([Object.keys((await ask()).tenants ?? {}).length, (await ask()).tenantsTruncated]).toStrictEqual([100, true])
  })

  it('gets the scopes of its bound token in the tenants of the token only', async () => {
    const { countersign } = await createTestCountersign()
    const { token } = await countersign.serviceTokens.issue({ service: 'billing', scopes: ['verify'], within: ['b', 'a', 'b'] })
    expect(decodeJwt(token).permissions).toStrictEqual([])
    const ask = (tenant?: string) => countersign.auth.introspect({ token, serviceName: 'billing', tenant })
    expect(await ask()).toMatchObject({ permissions: [], tenants: { a: ['verify'], b: ['verify'] } })
    expect((await ask('a')).permissions).toStrictEqual(['verify'])
    expect((await ask('c')).permissions).toStrictEqual([])
    expect(await countersign.auth.authenticateService({ token, serviceName: 'billing' })).toStrictEqual({
      name: 'billing',
      scopes: ['verify'],
      within: ['a', 'b'],
    })
  })

  it.each(['', ' billing', 'billing ', 'bill\ting', 'a'.repeat(65), 'billing\n', 'b€'])(
    'must have a valid name, and %j is refused',
    async (serviceName) => {
      const test = await createTestCountersign()
      const { tokens } = await signIn(test, await createTestUser(test))
      const asking = test.countersign.auth.introspect({ token: tokens.accessToken, serviceName })
      await expect(asking).rejects.toBeInstanceOf(Invalid)
      await expect(asking).rejects.toThrow(
        /^serviceName: must be 1 to 64 of A-Z, a-z, 0-9, dot, underscore, slash, hyphen, and spaces/,
      )
    },
  )

  it.each([
    ['Billing', 'billing'],
    ['PROJECT_SERVICE', 'project_service'],
    ['Project Service', 'project SERVICE'],
    ['team/orders.v2', 'TEAM/orders.V2'],
    ['-', '-'],
    ['a'.repeat(64), 'A'.repeat(64)],
  ])('can have the name %j, and can ask with the spelling %j', async (service, serviceName) => {
    const { countersign } = await createTestCountersign()
    const { token } = await countersign.serviceTokens.issue({ service })
    expect(await countersign.auth.introspect({ token, serviceName })).toMatchObject({ service_name: service })
    const other = countersign.auth.introspect({ token, serviceName: `${service.slice(0, 62)}-x` })
    await expect(other).rejects.toStrictEqual(refused)
  })

  it('cannot use a service token that the database does not know', async () => {
    const { countersign, jwtKeys } = await createTestCountersign()
    const { token } = await countersign.serviceTokens.issue({ service: 'billing' })
    const elsewhere = (await createTestCountersign({ jwtKeys })).countersign
    await expect(elsewhere.auth.introspect({ token, serviceName: 'billing' })).rejects.toStrictEqual(refused)
  })
})
