import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { days, hours, minutes } from '../shared/clock.ts'
import { RateLimited } from '../shared/errors.ts'
import { memoryDirectory } from '../testing/memory-directory.ts'
import { createTestUser, signInNewDeviceUser, testPassword } from '../testing/sign-in.ts'
import { createTestDevice } from '../testing/test-device.ts'
import { InvalidAccessToken, InvalidCredentials } from './authentication/errors.ts'

const given = async () => {
  const test = await createTestCountersign()
  const user = await signInNewDeviceUser(test)
  const { countersign } = test
  const login = async (signer = user.signer) => {
    const { id, challenge } = await countersign.mobile.beginLogin({ deviceFingerprint: user.device.deviceFingerprint })
    return countersign.mobile.finishLogin({ sessionId: id, signedChallenge: signer.sign(challenge) })
  }
  const lines = () => test.logger.entries.filter(({ event }) => event.endsWith('_refused'))
  return { ...test, ...user, login, lines }
}

describe('the log has the reason for a refused device login', () => {
  it('with the user and the device, if the device signed', async () => {
    const test = await given()
    await test.countersign.users.disable({ email: test.user.email })
    await expect(test.login()).rejects.toThrow('Invalid biometric token')
    const fields = { reason: 'user', userId: test.user.id, deviceId: test.device.id }
    expect(test.lines()).toStrictEqual([{ level: 'warn', event: 'device_login_refused', fields }])
  })

  it('without the user, if the signature is wrong or the challenge was used', async () => {
    const test = await given()
    await expect(test.login(createTestDevice('ES256'))).rejects.toThrow('Invalid biometric token')
    const { id, challenge } = await test.countersign.mobile.beginLogin({ deviceFingerprint: test.device.deviceFingerprint })
    const answer = { sessionId: id, signedChallenge: test.signer.sign(challenge) }
    await test.countersign.mobile.finishLogin(answer)
    await expect(test.countersign.mobile.finishLogin(answer)).rejects.toThrow('Invalid biometric token')
    expect(test.lines()).toStrictEqual(
      ['signature', 'challenge'].map((reason) => ({ level: 'info', event: 'device_login_refused', fields: { reason } })),
    )
  })

  it('if the device was removed during the login', async () => {
    const test = await given()
    const storage: typeof test.storage = {
      ...test.storage,
      transaction: async (work) => {
        await test.countersign.devices.remove({ caller: test.web.caller, deviceId: test.device.id })
        return test.storage.transaction(work)
      },
    }
    const { countersign, logger } = await createTestCountersign({ ...test, storage })
    const { id, challenge } = await countersign.mobile.beginLogin({ deviceFingerprint: test.device.deviceFingerprint })
    const login = countersign.mobile.finishLogin({ sessionId: id, signedChallenge: test.signer.sign(challenge) })
    await expect(login).rejects.toThrow('Invalid biometric token')
    expect(logger.entries).toMatchObject([{ level: 'warn', fields: { reason: 'device_removed', deviceId: test.device.id } }])
  })
})

describe('the log has the reason for a refused refresh token', () => {
  const lineOf = (reason: string, { userId, sessionId }: { readonly userId: number; readonly sessionId: string }) => ({
    level: 'info',
    event: 'refresh_token_refused',
    fields: { reason, userId, sessionId },
  })

  it('with the user and the session, if the service signed the token', async () => {
    const test = await given()
    const { web, mobile, countersign } = test
    const { refreshToken } = web.tokens
    const refuse = (token: string) => expect(countersign.auth.refresh({ refreshToken: token })).rejects.toThrow('refresh token')
    await refuse(mobile.tokens.refreshToken)
    await refuse(web.tokens.accessToken)
    const next = await countersign.auth.refresh({ refreshToken })
    await refuse(refreshToken)
    await refuse(next.refreshToken)
    test.clock.advance(days(40))
    await refuse(next.refreshToken)
    expect(test.lines()).toStrictEqual([
      lineOf('wrong_use', mobile.caller),
      lineOf('wrong_use', web.caller),
      lineOf('reused', web.caller),
      lineOf('session_ended', web.caller),
      lineOf('expired', web.caller),
    ])
  })

  it('without the user, for any other text and for a service token', async () => {
    const test = await given()
    const { countersign } = test
    const { token } = await countersign.serviceTokens.issue({ service: 'billing' })
    const changed = `${test.web.tokens.refreshToken.slice(0, -10)}${'A'.repeat(10)}`
    for (const refreshToken of ['x', changed, token]) await expect(countersign.auth.refresh({ refreshToken })).rejects.toThrow()
    expect(test.lines()).toStrictEqual(
      ['signature', 'signature', 'wrong_use'].map((reason) => ({
        level: 'info',
        event: 'refresh_token_refused',
        fields: { reason },
      })),
    )
  })
})

describe('the log has the reason for a refused password login', () => {
  const wrong = 'not the password'
  const line = (reason: string, userId?: number) => ({
    level: 'info',
    event: 'login_refused',
    fields: { reason, ...(userId !== undefined && { userId }) },
  })

  /** Logs in to an account with each password, and returns the lines of the log. Every answer is the same. */
  const linesOf = async (test: TestCountersign, email: string, passwords: readonly string[] = [testPassword, wrong]) => {
    for (const password of passwords) {
      const login = test.countersign.auth.login({ email, password })
      await expect(login).rejects.toStrictEqual(new InvalidCredentials())
    }
    const lines = test.logger.entries.filter(({ event }) => event === 'login_refused')
    expect(JSON.stringify(lines)).not.toContain(email)
    return lines
  }

  it('of an unknown email, without the email', async () => {
    expect(await linesOf(await createTestCountersign(), 'nobody@example.test', [wrong])).toStrictEqual([line('unknown_user')])
  })

  it('with the user, for a wrong password and for a user without a password', async () => {
    const test = await createTestCountersign()
    const known = await createTestUser(test)
    const { id, email } = await createTestUser(test, { password: undefined })
    await linesOf(test, known.email, [wrong])
    expect(await linesOf(test, email, [wrong])).toStrictEqual([line('password', known.id), line('no_password', id)])
  })

  it.each(['disable', 'lock'] as const)('after %s, the same for the right password and a wrong one', async (how) => {
    const test = await createTestCountersign()
    const { id, email } = await createTestUser(test)
    await test.countersign.users[how]({ email })
    const reason = { disable: 'disabled', lock: 'locked' }[how]
    expect(await linesOf(test, email)).toStrictEqual([line(reason, id), line(reason, id)])
  })

  it('if the host refuses the email', async () => {
    const test = await createTestCountersign({ options: { refusedEmails: ['ada@example.test'] } })
    const { id, email } = await createTestUser(test, { email: 'ada@example.test' })
    expect(await linesOf(test, email)).toStrictEqual([line('disabled', id), line('disabled', id)])
  })

  it('if the user belongs to a directory, and the server has none', async () => {
    const users = memoryDirectory()
    const test = await createTestCountersign({ users })
    const passwordHash = await test.passwords.hash(testPassword)
    await users.add({ email: 'ada@example.test', passwordHash, disabled: false })
    await test.countersign.auth.login({ email: 'ada@example.test', password: testPassword })
    const { storage, clock, jwtKeys, encryptionKeys } = test
    const without = await createTestCountersign({ storage, clock, jwtKeys, encryptionKeys })
    expect(await linesOf(without, 'ada@example.test')).toMatchObject([1, 2].map(() => line('no_directory')))
  })

  it('for a disabled and a locked user of a directory, by the same statements whatever the password is', async () => {
    const users = memoryDirectory()
    const test = await createTestCountersign({ users })
    const passwordHash = await test.passwords.hash(testPassword)
    const one = { email: 'ada@example.test', passwordHash, disabled: false }
    const id = await users.add(one)
    await test.countersign.auth.login({ email: one.email, password: testPassword })
    await test.countersign.users.lock({ email: one.email })
    let asked = 0
    const { byId } = users
    users.byId = (...input) => {
      asked += 1
      return byId(...input)
    }
    const reasonsOf = async () => (await linesOf(test, one.email)).slice(-2).map(({ fields }) => fields?.reason)
    expect(await reasonsOf()).toStrictEqual(['locked', 'locked'])
    await users.change(id, { disabled: true })
    expect(await reasonsOf()).toStrictEqual(['disabled', 'disabled'])
    expect(asked).toBe(0)
  })

  it('if the client must wait after failed logins', async () => {
    const test = await createTestCountersign()
    const { id, email } = await createTestUser(test)
    await linesOf(
      test,
      email,
      Array.from({ length: 20 }, () => wrong),
    )
    await expect(test.countersign.auth.login({ email, password: testPassword })).rejects.toThrow(RateLimited)
    const lines = test.logger.entries.filter(({ event }) => event === 'login_refused')
    expect(lines.slice(-2)).toStrictEqual([line('password', id), line('wait')])
  })

  it('if the user is disabled while the password is checked', async () => {
    const test = await createTestCountersign()
    const { id, email } = await createTestUser(test)
    const storage: typeof test.storage = {
      ...test.storage,
      transaction: async (work) => {
        await test.countersign.users.disable({ email })
        return test.storage.transaction(work)
      },
    }
    const during = await createTestCountersign({ ...test, storage })
    expect(await linesOf(during, email, [testPassword])).toStrictEqual([line('changed', id)])
  })
})

describe('the log has the reason for a refused one-time code', () => {
  const newPassword = 'another password, long enough'
  const line = (reason: string, userId?: number) => ({
    level: 'info',
    event: 'one_time_code_refused',
    fields: { reason, ...(userId !== undefined && { userId }) },
  })

  it('that sets a password, with the user of the code', async () => {
    const test = await given()
    const { countersign, user, clock } = test
    const { email } = user
    const refuse = (code: string) => expect(countersign.password.setWithCode({ code, newPassword })).rejects.toThrow('code')
    await refuse('0'.repeat(26))
    await refuse((await countersign.users.enrol({ email })).code)
    const { code } = await countersign.users.resetPassword({ email })
    clock.advance(minutes(30))
    await refuse(code)
    const invitation = await countersign.users.invite({ email })
    await countersign.users.lock({ email })
    await refuse(invitation.code)
    expect(test.lines()).toStrictEqual([
      line('unknown_code'),
      line('wrong_kind', user.id),
      line('expired', user.id),
      line('unknown_code'),
    ])
  })

  it('that enrols a device or a passkey, with the caller', async () => {
    const test = await given()
    const { countersign, web, clock, user } = test
    const { id, email } = user
    const other = await createTestUser(test)
    const refuse = async (code: string) => {
      const registration = countersign.passkeys.beginRegistration({ caller: web.caller, enrolmentCode: code })
      await expect(registration).rejects.toMatchObject({ fields: { enrolmentCode: expect.any(String) } })
    }
    await refuse('0'.repeat(26))
    await refuse((await countersign.users.enrol({ email: other.email })).code)
    await refuse((await countersign.users.resetPassword({ email })).code)
    const { code } = await countersign.users.enrol({ email })
    clock.advance(minutes(15))
    await refuse(code)
    expect(test.lines()).toStrictEqual(['unknown_code', 'other_user', 'wrong_kind', 'expired'].map((reason) => line(reason, id)))
  })
})

describe('the log has the reason for a refused service', () => {
  it('with the name that it gave, and with service and token if Countersign signed the token', async () => {
    const test = await given()
    const { countersign, clock, web, lines } = test
    const { id, token } = await countersign.serviceTokens.issue({ service: 'billing', ttlSeconds: 3600 })
    const refuse = async (presented: string, serviceName = 'billing') => {
      const calling = countersign.auth.authenticateService({ token: presented, serviceName })
      await expect(calling).rejects.toStrictEqual(new InvalidAccessToken())
    }
    await refuse(`${token.slice(0, -10)}${'A'.repeat(10)}`)
    await refuse(token, 'shipping')
    await refuse(web.tokens.accessToken)
    await countersign.serviceTokens.revoke({ id })
    await refuse(token)
    clock.advance(hours(1))
    await refuse(token)
    const of = { service: 'billing', serviceTokenId: id }
    const user = { userId: web.caller.userId, sessionId: web.caller.sessionId }
    const line = (reason: string, whom = {}, serviceName = 'billing') => ({
      level: 'info',
      event: 'service_refused',
      fields: { reason, serviceName, ...whom },
    })
    expect(lines()).toStrictEqual([
      line('signature'),
      line('service_name', of, 'shipping'),
      line('wrong_use', user),
      line('revoked', of),
      line('expired', of),
    ])
  })

  it('that asks about a token of a user, with the user and the session', async () => {
    const { countersign, web, lines } = await given()
    const { accessToken, refreshToken } = web.tokens
    const { caller } = web
    const refuse = async (token: string) => {
      await expect(countersign.auth.introspect({ token, serviceName: 'billing' })).rejects.toStrictEqual(new InvalidAccessToken())
    }
    await refuse(refreshToken)
    await countersign.auth.logout({ caller, refreshToken })
    await refuse(accessToken)
    const fields = { serviceName: 'billing', userId: caller.userId, sessionId: caller.sessionId }
    expect(lines().map((line) => line.fields)).toStrictEqual([
      { reason: 'wrong_use', ...fields },
      { reason: 'session_ended', ...fields },
    ])
  })
})
