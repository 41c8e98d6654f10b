import { createTestUser, testPassword } from '@countersign/core/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { hours, pass, withFakeDate } from '../testing/clocks.ts'
import { broken, createTestClient, logInNewUser } from '../testing/test-client.ts'
import type { SignedOutReason } from './events.ts'
import { memoryTokenStore, type StoredTokens } from './token-store.ts'

withFakeDate()

/** Records why a client is signed out, from now on. */
const reasonsOf = (client: Client): readonly SignedOutReason[] => {
  const reasons: SignedOutReason[] = []
  client.on('signedOut', ({ reason }) => reasons.push(reason))
  return reasons
}

let given: Awaited<ReturnType<typeof createTestClient>>
beforeEach(async () => {
  given = await createTestClient()
})

describe('signedOut', () => {
  it('is called once for a session that the service ended, however many calls are under way', async () => {
    const { user } = await logInNewUser(given)
    const reasons = reasonsOf(given.client)
    for (const { id } of await given.test.countersign.sessions.list({ email: user.email })) {
      await given.test.countersign.sessions.revoke({ id })
    }
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => given.client.devices.list()))
    expect(calls.every(({ status }) => status === 'rejected')).toBe(true)
    expect(given.sent.filter((line) => line.endsWith('/refresh'))).toHaveLength(1)
    await expect(given.client.devices.list()).rejects.toMatchObject({ status: 401, message: 'Authentication required' })
    expect(reasons).toEqual(['ended'])
  })

  it('is called for a session that was not renewed in time', async () => {
    await logInNewUser(given)
    const reasons = reasonsOf(given.client)
    pass(given, hours(24 * 4))
    await expect(given.client.devices.list()).rejects.toMatchObject({ status: 401, message: 'Invalid refresh token' })
    expect(reasons).toEqual(['ended'])
  })

  it('is called for a session with an invalid refresh token', async () => {
    const store = memoryTokenStore()
    const given = await createTestClient({ store })
    await logInNewUser(given)
    const reasons = reasonsOf(given.client)
    const tokens = store.get()
    await store.set({ ...(await tokens), refreshToken: 'x'.repeat(10_000), renewAt: 1 } as StoredTokens)
    await expect(given.client.devices.list()).rejects.toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(reasons).toEqual(['ended'])
  })

  it('is called again for the next session', async () => {
    const { user } = await logInNewUser(given)
    const reasons = reasonsOf(given.client)
    await given.client.auth.logout()
    await given.client.auth.login({ email: user.email, password: testPassword })
    await given.client.auth.logout()
    await given.client.auth.logout()
    expect(reasons).toEqual(['logout', 'logout'])
  })

  it('is not called without a session, nor after the listener was removed', async () => {
    const reasons: string[] = []
    const stop = given.client.on('signedOut', ({ reason }) => reasons.push(reason))
    await given.client.auth.logout()
    await logInNewUser(given)
    stop()
    await given.client.auth.logout()
    expect(reasons).toEqual([])
  })

  it('is called if another client empties the store', async () => {
    const store = memoryTokenStore()
    const given = await createTestClient({ store })
    await logInNewUser(given)
    const other = given.another()
    const reasons = reasonsOf(other)
    expect(await other.devices.list()).toEqual({ devices: [] })
    await given.client.auth.logout()
    await expect(other.devices.list()).rejects.toMatchObject({ status: 401 })
    expect(reasons).toEqual(['elsewhere'])
  })

  it('does not fail the call if a listener fails', async () => {
    await logInNewUser(given)
    const failed = new Promise((resolve) => process.once('unhandledRejection', resolve))
    given.client.on('signedOut', () => {
      throw new Error('a listener')
    })
    expect(await given.client.auth.logout()).toMatchObject({ success: true })
    expect(await failed).toMatchObject({ message: 'a listener' })
  })
})

describe('logout', () => {
  it('ends the session on the service and forgets its tokens', async () => {
    const { tokens } = await logInNewUser(given)
    expect(await given.client.auth.logout()).toEqual({ success: true, message: 'Logged out' })
    expect(await given.client.accessToken()).toBeUndefined()
    const token = tokens.accessToken
    await expect(given.another().devices.list({}, { token })).rejects.toMatchObject({ status: 401 })
  })

  it('works with an expired access token', async () => {
    const { user } = await logInNewUser(given)
    pass(given, hours(9))
    expect(await given.client.auth.logout()).toMatchObject({ success: true })
    const sessions = await given.test.countersign.sessions.list({ email: user.email })
    expect(sessions).toEqual([])
  })

  it('succeeds if the session has ended already, or without a session', async () => {
    const { user } = await logInNewUser(given)
    await given.test.countersign.users.disable({ email: user.email })
    expect(await given.client.auth.logout()).toMatchObject({ success: true })
    given.sent.length = 0
    expect(await given.client.auth.logout()).toMatchObject({ success: true })
    expect(given.sent).toEqual([])
  })

  it('forgets the tokens without a network, and says that the session could not be ended yet', async () => {
    await logInNewUser(given)
    const reasons = reasonsOf(given.client)
    given.faults.push(broken)
    await expect(given.client.auth.logout()).rejects.toMatchObject({
      code: 'LOGOUT_PENDING',
      cause: { code: 'NETWORK_ERROR' },
    })
    expect(await given.client.accessToken()).toBeUndefined()
    expect(reasons).toEqual(['logout'])
  })

  it('takes precedence over a renewal that is under way', async () => {
    await logInNewUser(given)
    pass(given, hours(8))
    let answer: () => void = () => {}
    given.faults.push(async (request) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return given.test.app.fetch(request)
    })
    const call = given.client.devices.list().catch((error: unknown) => error)
    const logout = given.client.auth.logout()
    await new Promise((resolve) => setImmediate(resolve))
    answer()
    expect(await logout).toMatchObject({ success: true })
    expect(await given.client.accessToken()).toBeUndefined()
    await call
  })

  it('of tokens that the caller keeps does not affect the session of the client', async () => {
    const { user } = await logInNewUser(given)
    const { refreshToken, accessToken: token } = await given.another().auth.login({ email: user.email, password: testPassword })
    expect(await given.client.auth.logout({ refreshToken }, { token })).toMatchObject({ success: true })
    expect(await given.client.devices.list()).toEqual({ devices: [] })
    await expect(given.client.devices.list({}, { token })).rejects.toMatchObject({ status: 401 })
  })
})

describe('another login in the same store', () => {
  it('is never used for a request of the first user', async () => {
    const store = memoryTokenStore()
    const given = await createTestClient({ store })
    await logInNewUser(given)
    const tab = given.another()
    const other = await createTestUser(given.test)
    given.test.clock.advance(hours(9))
    given.faults.push(async (request) => {
      // Another user signs in while the first user's request is under way.
      await tab.auth.login({ email: other.email, password: testPassword })
      return given.test.app.fetch(request)
    })
    const actionPayload = { userId: 1 }
    await expect(given.client.confirmations.initiate({ actionType: 'password_change', actionPayload })).rejects.toMatchObject({
      code: 'USER_CHANGED',
    })
    expect(given.sent.filter((line) => line.endsWith('/initiate'))).toHaveLength(1)
    // The page still shows the first user, so no later call acts as the second.
    await expect(given.client.devices.list()).rejects.toMatchObject({ code: 'USER_CHANGED' })
    expect(await tab.internal.introspect({ serviceName: 'billing' })).toMatchObject({ claims: { id: other.id } })
  })
})
