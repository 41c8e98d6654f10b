import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { hours, minutes } from '../../shared/clock.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { createTestUser, registerTestDevice, signIn, testPassword } from '../../testing/sign-in.ts'
import { InvalidAccessToken, InvalidOneTimeCode, NoDelivery } from '../authentication/errors.ts'
import type { CodeDelivery } from '../one-time-codes/code-delivery.ts'
import type { UserProfile } from '../records/user.ts'

const newPassword = 'another password, long enough'

let test: TestCountersign
let mails: CodeDelivery[]
let user: UserProfile
const deliverCode = (delivery: CodeDelivery) => void mails.push(delivery)
beforeEach(async () => {
  mails = []
  test = await createTestCountersign({ deliverCode })
  user = await createTestUser(test)
})

/** Asks for a code, and runs the work that follows the answer. */
const forget = async (email = user.email, languages?: string) => {
  await test.countersign.password.forgot({ email, languages })
  await test.background.drain()
}

/** Asks once in two minutes. Returns the codes that went out. */
const forgetTimes = async (times: number) => {
  for (let asked = 0; asked < times; asked += 1) {
    await forget()
    test.clock.advance(minutes(2))
  }
  return mails.map(({ code }) => code)
}

const redeem = (code: string, signIn?: boolean) => test.countersign.password.setWithCode({ code, newPassword, signIn })

describe('a forgotten password', () => {
  it('sends a code after the answer to the email of the account, with which the user sets a new password', async () => {
    await test.countersign.password.forgot({ email: ` ${user.email.toUpperCase()}`, languages: 'de-CH, fr;q=0.5, *;q=0.1' })
    expect(mails).toStrictEqual([])
    await test.background.drain()
    const code = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    const expiresAt = test.clock.now() + minutes(30)
    const { id: userId, email } = user
    expect(mails).toStrictEqual([{ userId, email, kind: 'forgot', code, expiresAt, languages: ['de-CH', 'fr'] }])
    expect(test.logger.entries).toContainEqual(expect.objectContaining({ event: 'one_time_code_issued' }))
    expect(JSON.stringify(test.logger.entries)).not.toContain(mails[0]?.code)
    await redeem(mails[0]?.code ?? '')
    await expect(test.countersign.auth.login({ email, password: newPassword })).resolves.toBeDefined()
  })

  it('is refused where nothing delivers codes', async () => {
    const { countersign } = await createTestCountersign()
    await expect(countersign.password.forgot({ email: user.email })).rejects.toThrow(NoDelivery)
  })

  it.each([
    ['nobody has', async () => 'nobody@example.test'],
    ['cannot exist', async () => 'no email at all'],
    ['a disabled user has', async () => (await test.countersign.users.disable({ email: user.email })).email],
    ['a locked user has', async () => (await test.countersign.users.lock({ email: user.email })).email],
    ['a user without a password has', async () => (await createTestUser(test, { password: undefined })).email],
  ])('sends nothing, without an error, to an email that %s', async (_, prepare) => {
    await forget(await prepare())
    expect(mails).toStrictEqual([])
  })

  it('sends nothing to a user of a directory, and does not ask the directory', async () => {
    const directory = memoryDirectory()
    test = await createTestCountersign({ deliverCode, users: directory })
    const email = 'ada@example.test'
    const directoryId = await directory.add({ email, passwordHash: await test.passwords.hash(testPassword), disabled: false })
    await test.countersign.users.sync({ directoryId })
    await forget(email)
    expect(mails).toStrictEqual([])
  })

  it('invites a user again whose invitation is unused, and the invitation stays', async () => {
    const { code } = await test.countersign.users.invite({ email: 'grace@example.test' })
    await forget('grace@example.test')
    expect(mails).toMatchObject([{ email: 'grace@example.test', kind: 'invitation' }])
    await expect(test.countersign.password.checkCode({ code })).resolves.toMatchObject({ kind: 'invitation' })
    await redeem(mails[0]?.code ?? '')
    await expect(test.countersign.auth.login({ email: 'grace@example.test', password: newPassword })).resolves.toBeDefined()
  })

  it('sends one mail in two minutes, and no further mail while three codes live', async () => {
    await forget()
    test.clock.advance(minutes(2) - 1)
    await forget()
    expect(mails).toHaveLength(1)
    test.clock.advance(1)
    await forgetTimes(3)
    expect(mails).toHaveLength(3)
    test.clock.advance(minutes(30))
    await forget()
    expect(mails).toHaveLength(4)
  })

  it('sends one mail an hour after the fifth, so that nobody can stop the mails of somebody else', async () => {
    for (let asked = 0; asked < 10; asked += 1) {
      await forget()
      test.clock.advance(minutes(31))
    }
    const before = mails.length
    expect(before).toBeLessThan(10)
    for (let hour = 0; hour < 5; hour += 1) {
      await forget()
      test.clock.advance(hours(1))
    }
    expect(mails).toHaveLength(before + 5)
  })

  it('takes from the limits of an email that nobody has, as from those of an account', async () => {
    await forget('nobody@example.test')
    await createTestUser(test, { email: 'nobody@example.test' })
    await forget('nobody@example.test')
    expect(mails).toStrictEqual([])
    test.clock.advance(minutes(2))
    await forget('nobody@example.test')
    expect(mails).toHaveLength(1)
  })

  it('sends at most three codes to concurrent requests past the limits', async () => {
    test = await createTestCountersign({ deliverCode, options: { rateLimits: 'off' } })
    user = await createTestUser(test)
    await Promise.all(Array.from({ length: 10 }, () => test.countersign.password.forgot({ email: user.email })))
    await test.background.drain()
    expect(mails).toHaveLength(3)
  })

  it('voids a code that could not be delivered, and logs no email', async () => {
    const fail = () => Promise.reject(new Error('550 no such mailbox'))
    test = await createTestCountersign({ deliverCode: fail, options: { rateLimits: 'off' } })
    user = await createTestUser(test)
    for (let asked = 0; asked < 4; asked += 1) await forget()
    expect(await test.storage.oneTimeCodes.allOfUser(user.id)).toStrictEqual([])
    const lines = test.logger.entries.filter(({ event }) => event === 'code_not_delivered')
    expect(lines).toStrictEqual(Array.from({ length: 4 }, () => expect.objectContaining({ fields: { reason: 'Error' } })))
    expect(JSON.stringify(test.logger.entries)).not.toContain(user.email)
  })
})

describe('an invitation', () => {
  const invite = (language?: string) => test.countersign.users.invite({ email: 'lin@example.test', deliver: true, language })

  it('is delivered in the language of the administrator, and sets the first password', async () => {
    const { code } = await invite('fr')
    expect(mails).toMatchObject([{ email: 'lin@example.test', kind: 'invitation', code, languages: ['fr'] }])
    await redeem(code)
    const login = test.countersign.auth.login({ email: 'lin@example.test', password: newPassword })
    await expect(login).resolves.toBeDefined()
  })

  it('is void if it could not be delivered', async () => {
    test = await createTestCountersign({ deliverCode: () => Promise.reject(new Error('550')) })
    await expect(invite()).rejects.toThrow('550')
    const { id } = await test.countersign.users.find({ email: 'lin@example.test' })
    expect(await test.storage.oneTimeCodes.allOfUser(id)).toStrictEqual([])
  })

  it('creates no user if nothing delivers codes', async () => {
    test = await createTestCountersign({ deliverCode: undefined })
    await expect(invite()).rejects.toThrow(NoDelivery)
    await expect(test.countersign.users.find({ email: 'lin@example.test' })).rejects.toThrow('User not found')
  })
})

describe('a code for a forgotten password', () => {
  it('works while later ones live, and its use voids them', async () => {
    const [first = '', second = '', third = ''] = await forgetTimes(3)
    await redeem(second)
    for (const code of [first, second, third]) await expect(redeem(code)).rejects.toThrow(InvalidOneTimeCode)
  })

  it('has exactly one winner with another code at the same time', async () => {
    const codes = await forgetTimes(3)
    const outcomes = await Promise.allSettled(codes.map((code) => redeem(code)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('ends after 30 minutes', async () => {
    await forget()
    test.clock.advance(minutes(30))
    await expect(redeem(mails[0]?.code ?? '')).rejects.toThrow(InvalidOneTimeCode)
  })

  it('leaves the codes of administrators as they are, before and after its use', async () => {
    const reset = await test.countersign.users.resetPassword({ email: user.email })
    const enrolment = await test.countersign.users.enrol({ email: user.email })
    await forget()
    await redeem(mails[0]?.code ?? '')
    const { accessToken } = await test.countersign.auth.login({ email: user.email, password: newPassword })
    const caller = await test.countersign.auth.authenticate({ token: accessToken })
    const { device } = await registerTestDevice(test, caller, { enrolmentCode: enrolment.code })
    expect(device.trusted).toBe(true)
    await expect(test.countersign.password.checkCode({ code: reset.code })).resolves.toMatchObject({ kind: 'reset' })
  })

  it('ends every session when it is used', async () => {
    const { tokens } = await signIn(test, user)
    await forget()
    await redeem(mails[0]?.code ?? '')
    await expect(test.countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
  })

  it('tells its kind, and the first letter and host of the email, however often a program asks', async () => {
    await forget()
    const { code = '', expiresAt } = mails[0] ?? {}
    for (let asked = 0; asked < 3; asked += 1) {
      const checked = await test.countersign.password.checkCode({ code })
      expect(checked).toStrictEqual({ kind: 'forgot', email: 'u…@example.test', expiresAt })
    }
    await redeem(code)
    await expect(test.countersign.password.checkCode({ code })).rejects.toThrow(InvalidOneTimeCode)
  })

  it('opens a session by password if the caller asks for one, and none otherwise', async () => {
    await forgetTimes(1)
    const tokens = await redeem(mails[0]?.code ?? '', true)
    const caller = await test.countersign.auth.authenticate({ token: tokens?.accessToken ?? '' })
    expect(caller).toMatchObject({ userId: user.id, deviceId: null, trustLevel: 'standard' })
    await forgetTimes(1)
    expect(await redeem(mails[1]?.code ?? '')).toBeUndefined()
    await expect(test.countersign.auth.authenticate({ token: tokens?.accessToken ?? '' })).rejects.toThrow(InvalidAccessToken)
  })
})
