import { createTestCountersign, type TestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { days, hours, minutes, seconds } from '../../shared/clock.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { registerTestPasskey } from '../../testing/passkeys.ts'
import { createTestUser, registerTestDevice, signIn, signInByDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'
import type { CallingService } from '../authentication/calling-service.ts'
import type { Notice } from '../push/notify-of-change.ts'
import type { OpenHostSession } from './open-host-session.ts'

const shop: CallingService = { name: 'shop', scopes: ['session.open'], within: [] }

const open = ({ countersign, clock }: TestCountersign, user: OpenHostSession['user'], more: Partial<OpenHostSession> = {}) =>
  countersign.sessions.open({ user, signedInAt: clock.now(), method: 'oidc', ...more })

const callerOf = ({ countersign }: TestCountersign, { accessToken }: { readonly accessToken: string }) =>
  countersign.auth.authenticate({ token: accessToken })

/** A user without a password. */
const given = async (overrides: TestCountersignOverrides = {}) => {
  const test = await createTestCountersign(overrides)
  return { test, user: await createTestUser(test, { password: undefined }) }
}

describe('a session that the host opens', () => {
  it('has a token pair like that of a login, and names the method by which the host signed the user in', async () => {
    const { test, user } = await given()
    const signedInAt = test.clock.now() - minutes(3)
    const opened = await open(
      test,
      { id: user.id },
      { signedInAt, userVerified: true, userAgent: 'a browser', address: '198.51.100.7' },
    )
    expect(decodeJwt(opened.accessToken)).toMatchObject({
      auth_method: 'host',
      trust_level: 'standard',
      token_use: 'access',
      session_id: opened.sessionId,
    })
    expect(await callerOf(test, opened)).toMatchObject({ userId: user.id, sessionId: opened.sessionId, deviceId: null })
    expect(await test.countersign.sessions.list({ email: user.email })).toMatchObject([
      {
        id: opened.sessionId,
        authMethod: 'host',
        userVerified: true,
        host: { method: 'oidc', signedInAt, openedBy: null },
        address: '198.51.100.7',
        userAgent: 'a browser',
      },
    ])
    const next = await test.countersign.auth.refresh({ refreshToken: opened.refreshToken })
    expect(decodeJwt(next.accessToken)).toMatchObject({ auth_method: 'host', session_id: opened.sessionId })
  })

  it('lasts 3 days without a renewal, and 30 days with rememberMe', async () => {
    const { test, user } = await given()
    const lifeOf = async (rememberMe?: boolean) =>
      (await open(test, { id: user.id }, { rememberMe })).refreshTokenExpiresAt - test.clock.now()
    expect([await lifeOf(), await lifeOf(true)]).toStrictEqual([days(3), days(30)])
  })

  it('belongs to the user who is named by id, by email in any spelling, or by the id in the directory', async () => {
    const { test, user } = await given()
    for (const named of [{ id: user.id }, { email: ` ${user.email.toUpperCase()} ` }]) {
      expect((await callerOf(test, await open(test, named))).userId).toBe(user.id)
    }
    const directory = memoryDirectory()
    const hosted = await createTestCountersign({ users: directory })
    const person = { email: 'ada@example.test', passwordHash: null, disabled: false }
    const directoryId = await directory.add(person)
    const byId = await callerOf(hosted, await open(hosted, { directoryId }))
    expect(byId).toMatchObject({ directoryId, email: person.email })
    expect(await callerOf(hosted, await open(hosted, { email: person.email }))).toMatchObject({
      userId: byId.userId,
      directoryId,
    })
    const other = await directory.add({ ...person, email: 'grace@example.test' })
    expect(await callerOf(hosted, await open(hosted, { email: 'grace@example.test' }))).toMatchObject({ directoryId: other })
  })

  it.each([
    ['no member', {}],
    ['two members', { id: 1, email: 'ada@example.test' }],
    ['a member of another type', { id: '1' }],
    ['no object', 'ada@example.test'],
  ])('is refused if the user is named by %s', async (_, user) => {
    const { test } = await given()
    await expect(open(test, user as { id: number })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it.each(['ᵏim', 'ｋim', '\u212aim', 'ki\u1d50', '\u00a0kim'])(
    'is refused for the email of %s, which is only similar to the email of kim',
    async (local) => {
      const { test } = await given()
      const user = await createTestUser(test, { email: 'kim@example.test' })
      for (const email of [`${local}@example.test`, `${local.toUpperCase()}@EXAMPLE.test`, 'kim＠example.test']) {
        const refused = { code: 'invalid_input', fields: { 'user.email': expect.stringContaining('directoryId') } }
        await expect(open(test, { email })).rejects.toMatchObject(refused)
        await expect(test.countersign.sessions.endAll({ user: { email } })).rejects.toMatchObject(refused)
      }
      for (const email of ['KIM@Example.test', ' kim@ｅxample.test ']) {
        expect((await callerOf(test, await open(test, { email }))).userId).toBe(user.id)
      }
    },
  )

  it('is refused for an unknown user', async () => {
    const { test } = await given()
    for (const user of [{ id: 4711 }, { email: 'nobody@example.test' }, { directoryId: 'nobody' }]) {
      await expect(open(test, user)).rejects.toMatchObject({ kind: 'not_found', code: 'user_not_found' })
    }
  })

  it('is refused with a code for a disabled user and for a locked one', async () => {
    const { test, user } = await given()
    const refused = { kind: 'forbidden', code: 'user_may_not_sign_in' }
    const both = [{ id: user.id }, { email: user.email }]
    await test.countersign.users.lock({ email: user.email })
    for (const named of both) await expect(open(test, named)).rejects.toMatchObject(refused)
    await test.countersign.users.unlock({ email: user.email })
    await open(test, { id: user.id })
    await test.countersign.users.disable({ email: user.email })
    for (const named of both) await expect(open(test, named)).rejects.toMatchObject(refused)
  })

  it('is refused for a user whom the directory disables, and for an email that the host refuses', async () => {
    const directory = memoryDirectory()
    const test = await createTestCountersign({ users: directory, options: { refusedEmails: ['demo@example.test'] } })
    const directoryId = await directory.add({ email: 'ada@example.test', passwordHash: null, disabled: false })
    await open(test, { directoryId })
    await directory.change(directoryId, { disabled: true })
    for (const named of [{ directoryId }, { email: 'ada@example.test' }]) {
      await expect(open(test, named)).rejects.toMatchObject({ code: 'user_may_not_sign_in' })
    }
    const demo = await directory.add({ email: 'demo@example.test', passwordHash: null, disabled: false })
    for (const named of [{ directoryId: demo }, { email: 'demo@example.test' }]) await expect(open(test, named)).rejects.toThrow()
  })

  it('takes a sign-in up to 60 seconds ahead as now, and is refused for one further ahead or more than 24 hours ago', async () => {
    const { test, user } = await given()
    const now = test.clock.now()
    const stored = async (signedInAt: number) => {
      const { sessionId } = await open(test, { id: user.id }, { signedInAt })
      return (await test.storage.sessions.byId(sessionId))?.host?.signedInAt
    }
    expect(await stored(now + seconds(60))).toBe(now)
    expect(await stored(now - hours(24))).toBe(now - hours(24))
    for (const signedInAt of [now + seconds(60) + 1, now - hours(24) - 1, Math.floor(now / 1000)]) {
      await expect(stored(signedInAt)).rejects.toMatchObject({ kind: 'invalid', fields: { signedInAt: expect.any(String) } })
    }
  })

  it('is refused if the user is disabled between the look-up and the opening', async () => {
    const { test, user } = await given()
    const { storage } = test
    let isFirst = true
    const racing: typeof storage = {
      ...storage,
      transaction: async (work) => {
        if (isFirst) {
          isFirst = false
          await test.countersign.users.disable({ email: user.email })
        }
        return storage.transaction(work)
      },
    }
    const other = await createTestCountersign({ ...test, storage: racing })
    await expect(open(other, { id: user.id })).rejects.toMatchObject({ code: 'user_may_not_sign_in' })
    expect(await storage.sessions.ofUser(user.id)).toStrictEqual([])
  })
})

describe('a user without a password', () => {
  it('registers a phone and a passkey, approves, and locks the account', async () => {
    const { test, user } = await given()
    const { countersign } = test
    const caller = await callerOf(test, await open(test, { id: user.id }))
    const phone = await registerTestDevice(test, caller)
    expect(phone.device.trusted).toBe(true)
    const mobile = await signInByDevice(test, phone)
    expect((await registerTestPasskey(test, mobile.caller)).passkey.trusted).toBe(true)
    const actionPayload = { amount: 1, currency: 'EUR', recipient: 'Ada' }
    const { id, challenge } = await countersign.confirmations.initiate({ caller, actionType: 'payment_approval', actionPayload })
    const approval = {
      caller: mobile.caller,
      confirmationId: id,
      deviceId: phone.device.id,
      signedChallenge: phone.signer.sign(challenge),
    }
    await countersign.confirmations.approve(approval)
    expect(await countersign.confirmations.status({ caller, confirmationId: id })).toMatchObject({ status: 'approved' })
    await countersign.account.lock({ caller: mobile.caller })
    await expect(open(test, { id: user.id })).rejects.toMatchObject({ code: 'user_may_not_sign_in' })
  })

  it('gets its own error code when changing the password, and can set a password by an invitation', async () => {
    const { test, user } = await given()
    const caller = await callerOf(test, await open(test, { id: user.id }))
    const passwords = { currentPassword: 'whatever it may be', newPassword: 'a new password, long enough' }
    await expect(test.countersign.password.change({ caller, ...passwords })).rejects.toMatchObject({ code: 'no_password' })
    const { code } = await test.countersign.users.invite({ email: user.email })
    await test.countersign.password.setWithCode({ code, newPassword: passwords.newPassword })
    await test.countersign.auth.login({ email: user.email, password: passwords.newPassword })
  })

  it('of a directory gets the error code of the directory when setting a password by a one-time code, which stays usable', async () => {
    const directory = memoryDirectory()
    const test = await createTestCountersign({ users: directory })
    const directoryId = await directory.add({ email: 'ada@example.test', passwordHash: null, disabled: false })
    const opened = await open(test, { directoryId })
    const { code } = await test.countersign.users.enrol({ email: 'ada@example.test' })
    const setting = test.countersign.password.setWithCode({ code, newPassword: 'a new password, long enough' })
    await expect(setting).rejects.toMatchObject({ code: 'users_kept_elsewhere' })
    const caller = await callerOf(test, opened)
    const changing = test.countersign.password.change({
      caller,
      currentPassword: 'any',
      newPassword: 'a new password, long enough',
    })
    await expect(changing).rejects.toMatchObject({ code: 'no_password' })
    expect((await registerTestDevice(test, caller, { enrolmentCode: code })).device.trusted).toBe(true)
  })
})

describe('a notice of a session that the host opened', () => {
  const listening = async () => {
    const notices: Notice[] = []
    const one = await given({ onNotice: (notice) => void notices.push(notice) })
    const told = async () => {
      await one.test.background.drain()
      return notices.splice(0).filter(({ change }) => change === 'session_opened')
    }
    return { ...one, told }
  }

  it('reaches the host once for each new address, and each time if no address is known', async () => {
    const { test, user, told } = await listening()
    const from = async (address?: string) => {
      await open(test, { id: user.id }, { address })
      return (await told()).length
    }
    expect(await from('198.51.100.7')).toBe(1)
    expect(await from('198.51.100.7')).toBe(0)
    expect(await from('198.51.100.8')).toBe(1)
    expect([await from(), await from()]).toStrictEqual([1, 1])
    expect(await from('198.51.100.7')).toBe(0)
    test.clock.advance(days(61))
    expect(await from('198.51.100.7')).toBe(1)
  })

  it('is not sent for an address from which the user has logged in by password', async () => {
    const { test, told } = await listening()
    const user = await createTestUser(test)
    await signIn(test, user)
    await test.countersign.auth.login({ email: user.email, password: 'correct horse battery staple', address: '198.51.100.7' })
    await open(test, { id: user.id }, { address: '198.51.100.7' })
    expect(await told()).toStrictEqual([])
  })

  it('reaches trusted devices, and says to the host that there are trusted devices', async () => {
    const { test, told } = await listening()
    const { user } = await signInNewDeviceUser(test, { pushToken: 'of the phone' })
    await told()
    const before = test.push.sent.length
    await open(test, { id: user.id }, { address: '198.51.100.7' })
    expect(await told()).toMatchObject([{ userId: user.id, email: user.email, hasTrustedDevice: true }])
    expect(test.push.sent.slice(before)).toMatchObject([
      { type: 'account.changed', change: 'session_opened', pushToken: 'of the phone' },
    ])
  })

  it('is also sent for a session that a service opened', async () => {
    const { test, user, told } = await listening()
    const signedInAt = new Date(test.clock.now()).toISOString()
    await test.countersign.sessions.openForService({ service: shop, user: { id: user.id }, signedInAt, method: 'oidc' })
    expect(await told()).toMatchObject([{ userId: user.id, hasTrustedDevice: false }])
  })
})

describe('ending all sessions of a user', () => {
  it('ends sessions that the host or devices opened, and removes devices on probation that these sessions registered', async () => {
    const { test, user } = await given()
    const caller = await callerOf(test, await open(test, { id: user.id }))
    const phone = await registerTestDevice(test, caller)
    const mobile = await signInByDevice(test, phone)
    test.clock.advance(minutes(11))
    const second = await registerTestDevice(test, caller)
    expect(second.device.trusted).toBe(false)
    expect(await test.countersign.sessions.endAll({ user: { email: user.email } })).toBe(2)
    for (const { sessionId } of [caller, mobile.caller]) {
      expect(await test.storage.sessions.byId(sessionId)).toMatchObject({ endReason: 'revoked' })
    }
    expect((await test.storage.devices.allOfUser(user.id)).map(({ id }) => id)).toStrictEqual([phone.device.id])
    expect(await test.countersign.sessions.endAll({ user: { id: user.id } })).toBe(0)
    expect(await test.countersign.sessions.endAll({ user: { directoryId: 'never stored' } })).toBe(0)
    for (const unknown of [{ id: 4711 }, { email: 'nobody@example.test' }]) {
      await expect(test.countersign.sessions.endAll({ user: unknown })).rejects.toMatchObject({ code: 'user_not_found' })
    }
  })

  it('works while the directory of the host is away', async () => {
    const directory = memoryDirectory()
    let isAway = false
    const users: typeof directory = {
      ...directory,
      byId: async (id) => {
        if (isAway) throw new Error('away')
        return directory.byId(id)
      },
    }
    const test = await createTestCountersign({ users })
    const directoryId = await directory.add({ email: 'ada@example.test', passwordHash: null, disabled: false })
    const { sessionId } = await open(test, { directoryId })
    isAway = true
    expect(await test.countersign.sessions.endAll({ user: { directoryId } })).toBe(1)
    expect(await test.storage.sessions.status(sessionId)).toBeUndefined()
  })
})
