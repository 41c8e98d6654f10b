import type { DirectoryUser, UserDirectory } from '@countersign/core'
import { cheapHasher, testPassword } from '@countersign/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'
import { openSqlite, type TestStorage, testStorages } from '../src/testing/test-storages.ts'

/** Tokens that are remembered, and answers that come in the turn in which they are asked for, are still right. */

describe.each(testStorages)('what is asked of /internal/verify again and again, on $name,', ({ open }) => {
  let opened: TestStorage
  let test: TestApp
  beforeAll(async () => {
    opened = await open()
    test = createTestApp({ storage: opened.storage })
  })
  afterAll(() => opened.remove())

  const verify = (token: string) => test.call('internal.verify', { serviceName: 'billing' }, { token })
  const statusOf = async (token: string): Promise<number> => (await verify(token)).status

  /** A user with a phone, whose tokens are known as good. */
  const given = async () => {
    const signedIn = await signInWithDevice(test)
    for (let asked = 0; asked < 3; asked += 1) {
      for (const token of [signedIn.token, signedIn.deviceToken]) expect(await statusOf(token)).toBe(200)
    }
    return signedIn
  }

  it('is refused from the moment its session has logged out', async () => {
    const { token, deviceToken, tokens } = await given()
    await test.ask('auth.logout', { refreshToken: tokens.refreshToken }, { token })
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(deviceToken)).toBe(200)
  })

  it('is refused from the moment its device is removed', async () => {
    const { token, deviceToken, device } = await given()
    await test.call('devices.remove', { deviceId: device.id }, { token })
    expect(await statusOf(deviceToken)).toBe(401)
    expect(await statusOf(token)).toBe(200)
  })

  it('is refused from the moment its user is disabled', async () => {
    const { token, deviceToken, user } = await given()
    await test.countersign.users.disable({ email: user.email })
    for (const one of [token, deviceToken]) expect(await statusOf(one)).toBe(401)
  })

  it('is refused from the moment it expires', async () => {
    const { token, deviceToken } = await given()
    test.clock.advance(15 * 60_000)
    expect(await statusOf(deviceToken)).toBe(401)
    expect(await statusOf(token)).toBe(200)
  })

  it('is answered with the permissions of now', async () => {
    const { token, user } = await given()
    await test.countersign.users.grant({ email: user.email, permissions: ['project.read'] })
    expect((await verify(token)).body).toMatchObject({ claims: { permissions: ['project.read'] } })
    await test.countersign.users.revoke({ email: user.email, permissions: ['project.read'] })
    expect((await verify(token)).body).toMatchObject({ claims: { permissions: [] } })
  })

  it('opens no route that another use of token opens', async () => {
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

it('a token that is known is judged in the very turn in which it is presented, on SQLite', async () => {
  const { storage, remove } = await openSqlite()
  const test = createTestApp({ storage })
  const { token } = await signInWithDevice(test)
  const ask = (presented: string) =>
    test.app.fetch(
      new Request('http://countersign.test/internal/verify', {
        headers: { authorization: `Bearer ${presented}`, 'x-service-name': 'billing' },
      }),
    )
  expect((await ask(token)).status, 'the first time, its session is looked up').toBe(200)
  for (const [presented, status] of [
    [token, 200],
    [`${token}x`, 401],
  ] as const) {
    const response = ask(presented)
    expect(response).toBeInstanceOf(Response)
    expect((await response).status).toBe(status)
  }
  await remove()
})

it("a token that is known is judged by the host's own directory each time, on SQLite", async () => {
  const { storage, remove } = await openSqlite()
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
  const test = createTestApp({ storage, users })
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
