import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import { createTestUser, signInNewDeviceUser, signInNewUser, testPassword } from '../../testing/sign-in.ts'
import { givenService, signInByService } from '../../testing/sign-in-by-service.ts'
import { cheapHasher } from '../../testing/test-keys.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'

describe('who is signed in', () => {
  it('is read with the permissions of now, those of each tenant separately, and the session itself', async () => {
    const test = await createTestCountersign()
    const { user, caller } = await signInNewUser(test, { name: 'Ada', permissions: ['project.read'] })
    const permissions = ['payment.approve@acme', 'order.*@zeta']
    await test.countersign.users.grant({ email: user.email, permissions })
    const me = await test.countersign.account.me({ caller })
    expect(me.user).toStrictEqual({
      id: user.id,
      email: user.email,
      name: 'Ada',
      permissions: ['project.read'],
      tenants: { acme: ['payment.approve'], zeta: ['order.*'] },
    })
    const { items } = await test.countersign.sessions.listOwn({ caller })
    expect([me.session]).toStrictEqual(items)
    expect(me.trust).toBe('standard')
  })

  it('has at most a hundred tenants, and says if there are more', async () => {
    const test = await createTestCountersign()
    const permissions = Array.from({ length: 101 }, (_, at) => `a.b@s${at}`)
    const { caller } = await signInNewUser(test, { permissions })
    const { user } = await test.countersign.account.me({ caller })
    expect([Object.keys(user.tenants).length, user.tenantsTruncated]).toStrictEqual([100, true])
  })

  it('outside of the tenants of a bound session is nobody, who cannot change the password', async () => {
    const test = await createTestCountersign()
    const user = await createTestUser(test, { permissions: ['project.read', 'a.b@acme', 'a.b@other'] })
    const { caller } = await signInByService(test, await givenService(test, 'app', 'acme'), user)
    const me = await test.countersign.account.me({ caller })
    expect(me.user).toMatchObject({ permissions: [], tenants: { acme: ['a.b'] } })
    expect(me.can.password).toBe(false)
  })

  it('is refused for a session that has ended, and for the session of another user', async () => {
    const test = await createTestCountersign()
    const [{ caller }, other] = [await signInNewUser(test), await signInNewUser(test)]
    const foreign = { ...caller, userId: other.user.id }
    await expect(test.countersign.account.me({ caller: foreign })).rejects.toThrow(InvalidAccessToken)
    await test.countersign.sessions.endOwn({ caller, sessionId: caller.sessionId })
    await expect(test.countersign.account.me({ caller })).rejects.toThrow(InvalidAccessToken)
  })
})

describe('what a session may do', () => {
  it('is to approve, for a session of a trusted device only', async () => {
    const test = await createTestCountersign()
    const { web, mobile } = await signInNewDeviceUser(test)
    const seen = async (caller: typeof web.caller) => {
      const { trust, can } = await test.countersign.account.me({ caller })
      return [trust, can.approve]
    }
    expect(await seen(mobile.caller)).toStrictEqual(['high', true])
    expect(await seen(web.caller)).toStrictEqual(['standard', false])
  })

  it.each([true, false])(
    'is to approve by a passkey that verified the user, if passkeys approve: %j',
    async (passkeyApprovals) => {
      const test = await createTestCountersign({ options: { passkeyApprovals } })
      const { caller } = await signInNewUser(test)
      const { virtual } = await registerTestPasskey(test, caller)
      const signedIn = await signInByPasskey(test, virtual)
      expect((await test.countersign.account.me({ caller: signedIn.caller })).can.approve).toBe(passkeyApprovals)
      expect((await test.countersign.account.me({ caller })).can.approve).toBe(false)
    },
  )

  it('is to enrol a device that is trusted at once, while the session is fresh', async () => {
    const test = await createTestCountersign()
    const { caller } = await signInNewUser(test)
    const canEnrol = async () => (await test.countersign.account.me({ caller })).can.enrol
    expect(await canEnrol()).toBe(true)
    test.clock.advance(minutes(10) + 1)
    expect(await canEnrol()).toBe(false)
  })

  it('is to add a passkey, until the user has as many as are allowed', async () => {
    const test = await createTestCountersign({ options: { passkeysPerUser: 1 } })
    const { caller } = await signInNewUser(test)
    const canAdd = async () => (await test.countersign.account.me({ caller })).can.passkeys
    expect(await canAdd()).toBe(true)
    await registerTestPasskey(test, caller)
    expect(await canAdd()).toBe(false)
  })

  it('is to change the password, unless the host keeps it or there is none', async () => {
    const kept = await createTestCountersign()
    const { caller } = await signInNewUser(kept)
    expect((await kept.countersign.account.me({ caller })).can.password).toBe(true)
    const users = memoryDirectory()
    const test = await createTestCountersign({ users })
    const email = 'ada@example.test'
    await users.add({ email, passwordHash: await cheapHasher().hash(testPassword), disabled: false })
    const { accessToken } = await test.countersign.auth.login({ email, password: testPassword })
    const ofDirectory = await test.countersign.auth.authenticate({ token: accessToken })
    expect((await test.countersign.account.me({ caller: ofDirectory })).can.password).toBe(false)
  })
})
