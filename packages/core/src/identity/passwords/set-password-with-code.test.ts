import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { days, minutes } from '../../shared/clock.ts'
import { createTestUser, signIn, signInNewDeviceUser, testPassword } from '../../testing/sign-in.ts'
import { InvalidAccessToken, InvalidCredentials, InvalidOneTimeCode } from '../authentication/errors.ts'
import { UserNotFound } from '../user-model/errors.ts'

const newPassword = 'another password, long enough'

const prepare = async () => {
  const test = await createTestCountersign()
  const user = await createTestUser(test)
  const redeem = (code: string, password = newPassword) => test.countersign.password.setWithCode({ code, newPassword: password })
  const login = (password: string) => test.countersign.auth.login({ email: user.email, password })
  const reset = async () => (await test.countersign.users.resetPassword({ email: user.email })).code
  return { ...test, user, redeem, login, reset }
}

describe('redeeming a code', () => {
  it('sets the password, and ends every session', async () => {
    const test = await createTestCountersign()
    const { user, web, mobile } = await signInNewDeviceUser(test)
    const { code } = await test.countersign.users.resetPassword({ email: user.email })
    await test.countersign.password.setWithCode({ code, newPassword })
    for (const { tokens } of [web, mobile]) {
      await expect(test.countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
    }
    await expect(test.countersign.auth.login({ email: user.email, password: testPassword })).rejects.toThrow(InvalidCredentials)
    await expect(test.countersign.auth.login({ email: user.email, password: newPassword })).resolves.toBeDefined()
  })

  it('works once', async () => {
    const { reset, redeem, login } = await prepare()
    const code = await reset()
    await redeem(code)
    await expect(redeem(code, 'a third password, long enough')).rejects.toThrow(InvalidOneTimeCode)
    await expect(login(newPassword)).resolves.toBeDefined()
  })

  it('works with a code as a person types it', async () => {
    const { reset, redeem } = await prepare()
    const code = await reset()
    await expect(redeem(` ${code.toLowerCase().replace(/.{4}/g, '$&-')} `)).resolves.toBeUndefined()
  })

  it('is refused after 30 minutes for a reset, and after 7 days for an invitation', async () => {
    const { clock, user, countersign, reset, redeem } = await prepare()
    const code = await reset()
    clock.advance(minutes(30))
    await expect(redeem(code)).rejects.toThrow(InvalidOneTimeCode)
    const invitation = await countersign.users.invite({ email: user.email })
    expect(invitation.expiresAt).toBe(clock.now() + days(7))
    clock.advance(days(7))
    await expect(redeem(invitation.code)).rejects.toThrow(InvalidOneTimeCode)
  })

  it('is refused with the same error for a replaced code, an unknown code and an enrolment code', async () => {
    const { countersign, user, reset, redeem, login } = await prepare()
    const replaced = await reset()
    await reset()
    const enrolment = (await countersign.users.enrol({ email: user.email })).code
    const refusals = await Promise.all(
      [replaced, enrolment, '0'.repeat(26), 'not a code'].map((code) => redeem(code).catch(String)),
    )
    expect(new Set(refusals)).toStrictEqual(new Set(['InvalidOneTimeCode: Invalid or expired code']))
    await expect(login(testPassword)).resolves.toBeDefined()
  })

  it('does not spend the code if the new password is refused', async () => {
    const { reset, redeem } = await prepare()
    const code = await reset()
    await expect(redeem(code, 'short')).rejects.toMatchObject({ fields: { newPassword: 'must be 12 to 128 characters' } })
    await expect(redeem(code)).resolves.toBeUndefined()
  })

  it('is refused if the user was disabled after the code was issued', async () => {
    const { countersign, user, reset, redeem } = await prepare()
    const code = await reset()
    await countersign.users.disable({ email: user.email })
    await expect(redeem(code)).rejects.toThrow(InvalidOneTimeCode)
  })

  it('voids the other codes of the user', async () => {
    const { countersign, user, reset, redeem } = await prepare()
    const invitation = await countersign.users.invite({ email: user.email })
    await redeem(await reset())
    await expect(redeem(invitation.code)).rejects.toThrow(InvalidOneTimeCode)
  })

  it('is refused if the code expired while the password was hashed', async () => {
    const test = await prepare()
    const code = await test.reset()
    test.clock.advance(minutes(30) - 1)
    const { hash } = test.passwords
    test.passwords.hash = async (password) => {
      test.clock.advance(1)
      return hash(password)
    }
    await expect(test.redeem(code)).rejects.toThrow(InvalidOneTimeCode)
    await expect(signIn(test, test.user)).resolves.toBeDefined()
  })
})

describe('an invitation', () => {
  it('creates an unknown user, who cannot log in before the code is redeemed', async () => {
    const test = await createTestCountersign()
    const email = 'grace@example.test'
    const { code } = await test.countersign.users.invite({ email: 'Grace@Example.test' })
    expect(await test.countersign.users.find({ email })).toMatchObject({ hasPassword: false, permissions: [] })
    await expect(test.countersign.auth.login({ email, password: newPassword })).rejects.toThrow(InvalidCredentials)
    await test.countersign.password.setWithCode({ code, newPassword })
    await expect(test.countersign.auth.login({ email, password: newPassword })).resolves.toBeDefined()
  })

  it('is the only kind of code that can be issued for an unknown user', async () => {
    const test = await createTestCountersign()
    await expect(test.countersign.users.resetPassword({ email: 'nobody@example.test' })).rejects.toThrow(UserNotFound)
    await expect(test.countersign.users.enrol({ email: 'nobody@example.test' })).rejects.toThrow(UserNotFound)
  })
})
