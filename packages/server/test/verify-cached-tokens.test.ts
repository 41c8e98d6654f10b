import { runInNewContext } from 'node:vm'
import type { DirectoryUser, UserDirectory } from '@countersign/core'
import { cheapHasher, testPassword } from '@countersign/core/testing'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'
import { type TestStorage, testStorages } from '../src/testing/test-storages.ts'

/** A cached token must still be checked against the current state of its session. */

describe.each(testStorages)('a token verified repeatedly by /internal/verify, on $name,', ({ open }) => {
  let opened: TestStorage
  let test: TestApp
  beforeAll(async () => {
    opened = await open()
    test = await createTestApp({ storage: opened.storage })
  })
  afterAll(() => opened.remove())

  const verify = (token: string) => test.call('internal.verify', { serviceName: 'billing' }, { token })
  const statusOf = async (token: string): Promise<number> => (await verify(token)).status

  /** Creates a user with a phone whose tokens are cached as valid. */
  const given = async () => {
    // Lets the rate limit of the address recover from earlier tests.
    test.clock.advance(5 * 60_000)
    const signedIn = await signInWithDevice(test)
    for (let asked = 0; asked < 3; asked += 1) {
      for (const token of [signedIn.token, signedIn.deviceToken]) expect(await statusOf(token)).toBe(200)
    }
    return signedIn
  }

  it('is refused immediately after its session has logged out', async () => {
    const { token, deviceToken, tokens } = await given()
    await test.ask('auth.logout', { refreshToken: tokens.refreshToken }, { token })
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(deviceToken)).toBe(200)
  })

  it('is refused immediately after its device is removed', async () => {
    const { token, deviceToken, device } = await given()
    await test.call('devices.remove', { deviceId: device.id }, { token })
    expect(await statusOf(deviceToken)).toBe(401)
    expect(await statusOf(token)).toBe(200)
  })

  it('is refused immediately after its user is disabled', async () => {
    const { token, deviceToken, user } = await given()
    await test.countersign.users.disable({ email: user.email })
    for (const one of [token, deviceToken]) expect(await statusOf(one)).toBe(401)
  })

  it('is refused immediately after it expires', async () => {
    const { token, deviceToken } = await given()
    test.clock.advance(15 * 60_000)
    expect(await statusOf(deviceToken)).toBe(401)
    expect(await statusOf(token)).toBe(200)
  })

  it('is answered with the current permissions', async () => {
    const { token, user } = await given()
    await test.countersign.users.grant({ email: user.email, permissions: ['project.read'] })
    expect((await verify(token)).body).toMatchObject({ claims: { permissions: ['project.read'] } })
    await test.countersign.users.revoke({ email: user.email, permissions: ['project.read'] })
    expect((await verify(token)).body).toMatchObject({ claims: { permissions: [] } })
  })

  it('is refused immediately after its user gets another password', async () => {
    const { token, deviceToken, user } = await given()
    await test.countersign.users.setPassword({ email: user.email, password: 'another good password' })
    for (const one of [token, deviceToken]) expect(await statusOf(one)).toBe(401)
  })

  it('is refused immediately after it is revoked, if it is a service token, and always for other services', async () => {
    const { id, token } = await test.countersign.serviceTokens.issue({ service: 'billing', scopes: ['verify'] })
    for (let asked = 0; asked < 3; asked += 1) {
      expect((await verify(token)).body).toMatchObject({ claims: { permissions: ['verify'], service_name: 'billing' } })
      expect((await test.call('internal.verify', { serviceName: 'shipping' }, { token })).status).toBe(401)
    }
    await test.countersign.serviceTokens.revoke({ id })
    expect(await statusOf(token)).toBe(401)
  })

  it('is verified fully if it is sent in another form', async () => {
    const { token } = await given()
    const put = async (query: string, authorization: string, serviceName = 'billing') => {
      const headers = { authorization, 'x-service-name': serviceName }
      return (await test.send('GET', `/internal/verify${query}`, { headers })).status
    }
    expect(await put('', `Bearer ${token}`)).toBe(200)
    expect(await put('', `bearer   ${token}`)).toBe(200)
    expect(await put('?serviceName=Other', `Bearer ${token}`)).toBe(200)
    expect(await put('?a=1&a=2', `Bearer ${token}`)).toBe(200)
    expect(await put('?%ff', `Bearer ${token}`)).toBe(400)
    expect(await put('', `Bearer ${token}`, 'Bill,ing')).toBe(400)
    // Another case of the name means the same service, but is a separate cache entry.
    expect(await put('', `Bearer ${token}`, 'Billing')).toBe(200)
    expect(await put('', `Bearer ${token}`, '')).toBe(400)
    expect(await put('', `Bearer x${token}`)).toBe(401)
    expect(await put('', `Bearer ${token.slice(-43)}`)).toBe(401)
    expect(await put('', `Basic ${token}`)).toBe(401)
    expect(await put('', token, 'billing Bearer'), 'the same words, cut elsewhere').toBe(401)
  })

  it('is not affected when a caller changes a returned object', async () => {
    const { token, user } = await given()
    await test.countersign.users.grant({ email: user.email, permissions: ['project.read'] })
    const { auth } = test.countersign
    const returned = [await auth.authenticate({ token }), await auth.introspect({ token, serviceName: 'billing' })]
    for (const { permissions } of returned) (permissions as string[]).push('*.*')
    expect((await verify(token)).body).toMatchObject({ claims: { permissions: ['project.read'] } })
    expect(await auth.authenticate({ token })).toMatchObject({ permissions: ['project.read'] })
  })

  it('opens no route for tokens of another use', async () => {
    const { token, deviceToken } = await given()
    const service = await test.countersign.serviceTokens.issue({ service: 'billing' })
    expect(await statusOf(service.token)).toBe(200)
    for (const one of [token, deviceToken, service.token]) {
      expect((await test.call('auth.refresh', { refreshToken: one })).status).toBe(401)
      expect((await test.call('mobile.refresh', { refreshToken: one })).status).toBe(401)
    }
    expect((await test.call('devices.list', {}, { token: service.token })).status).toBe(401)
  })
})

it('a token is verified when the storage returns promises of another class', async () => {
  const storage = await createTestStorage()
  const { status } = storage.sessions
  // Query builders and other realms return such promises: `await` accepts them, `instanceof` does not.
  const ForeignPromise = runInNewContext('Promise') as PromiseConstructor
  const thenable = (id: string) => ForeignPromise.resolve(status(id))
  const test = await createTestApp({ storage: { ...storage, sessions: { ...storage.sessions, status: thenable } } })
  const { token, tokens } = await signInWithDevice(test)
  const statusOf = async () => (await test.call('internal.verify', { serviceName: 'billing' }, { token })).status
  for (let asked = 0; asked < 3; asked += 1) expect(await statusOf()).toBe(200)
  await test.ask('auth.logout', { refreshToken: tokens.refreshToken }, { token })
  expect(await statusOf()).toBe(401)
})

it.each(testStorages)('a cached token is verified against the directory of the host every time, on $name', async ({ open }) => {
  const { storage, remove } = await open()
  const email = 'ada@example.test'
  const passwordHash = await cheapHasher().hash(testPassword)
  let ada: DirectoryUser = { id: 'host-1', email, passwordHash, disabled: false, permissions: [] }
  let asked = 0
  const users: UserDirectory = {
    byEmail: async (wanted) => (wanted === email ? ada : undefined),
    byId: async (id) => {
      asked += 1
      return id === ada.id ? ada : undefined
    },
  }
  const test = await createTestApp({ storage, users })
  const { accessToken: token } = await test.ask('auth.login', { email, password: testPassword })
  const verify = () => test.call('internal.verify', { serviceName: 'billing' }, { token })
  asked = 0
  for (const permissions of [['project.read'], ['project.read'], ['project.approve'], []]) {
    ada = { ...ada, permissions }
    expect((await verify()).body).toMatchObject({ claims: { permissions } })
  }
  expect(asked).toBe(4)
  ada = { ...ada, disabled: true }
  expect((await verify()).status).toBe(401)
  await remove()
})

it.each(testStorages)('cached tokens of two users of the host each name their own user, on $name', async ({ open }) => {
  const { storage, remove } = await open()
  const passwordHash = await cheapHasher().hash(testPassword)
  const people: DirectoryUser[] = ['ada', 'grace'].map((name) => ({
    id: `host:${name}`,
    email: `${name}@example.test`,
    passwordHash,
    disabled: false,
  }))
  const users: UserDirectory = {
    byEmail: async (wanted) => people.find(({ email }) => email === wanted),
    byId: async (wanted) => people.find(({ id }) => id === wanted),
  }
  const test = await createTestApp({ storage, users })
  const logIn = async ({ id, email }: DirectoryUser) => {
    const { accessToken: token } = await test.ask('auth.login', { email, password: testPassword })
    return { id, token }
  }
  const everybody = await Promise.all(people.map(logIn))
  const headers = { 'x-service-name': 'billing', 'countersign-extended': '1' }
  for (const { id, token } of [...everybody, ...everybody]) {
    const extended = await test.send('GET', '/internal/verify', { token, headers })
    expect(extended.body).toMatchObject({ claims: { directoryId: id } })
    const { body } = await test.call('internal.verify', { serviceName: 'billing' }, { token })
    expect(body).not.toHaveProperty('claims.directoryId')
  }
  await remove()
})
