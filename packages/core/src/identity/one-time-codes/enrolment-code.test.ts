import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { createTestUser } from '../../testing/sign-in.ts'
import { UserNotFound, UserRefused } from '../user-model/errors.ts'
import { checkGivenCode } from './enrolment-code.ts'

const refused = { fields: { enrolmentCode: 'must be an unused enrolment code of this user' } }

describe('an enrolment code', () => {
  const prepare = async () => {
    const test = await createTestCountersign()
    const user = await createTestUser(test)
    const check = async (code: string, userId = user.id) => {
      const { enrolmentCodeHash: hash = '' } = await checkGivenCode(test, { userId, code })
      return { hash, kind: 'enrolment', userId, now: test.clock.now() } as const
    }
    const spend = async (code: string) => {
      const use = await check(code)
      return test.storage.transaction((tx) => tx.oneTimeCodes.spend(use))
    }
    return { ...test, user, check, spend, enrol: () => test.countersign.users.enrol({ email: user.email }) }
  }

  it('is valid for 15 minutes and is spent once', async () => {
    const { clock, enrol, check, spend } = await prepare()
    const { code, expiresAt } = await enrol()
    expect(expiresAt).toBe(clock.now() + minutes(15))
    await expect(check(code)).resolves.toBeDefined()
    expect(await spend(code)).toBe(true)
    await expect(check(code)).rejects.toMatchObject(refused)
  })

  it('has expired after 15 minutes', async () => {
    const { clock, enrol, check } = await prepare()
    const { code } = await enrol()
    clock.advance(minutes(15) - 1)
    await expect(check(code)).resolves.toBeDefined()
    clock.advance(1)
    await expect(check(code)).rejects.toMatchObject(refused)
  })

  it('is refused for another user, and if a newer code was issued', async () => {
    const test = await prepare()
    const other = await createTestUser(test)
    const older = await test.enrol()
    await expect(test.check(older.code, other.id)).rejects.toMatchObject(refused)
    const newer = await test.enrol()
    await expect(test.check(older.code)).rejects.toMatchObject(refused)
    await expect(test.check(newer.code)).resolves.toBeDefined()
  })

  it('is not spent if a newer code was issued after the check', async () => {
    const test = await prepare()
    const use = await test.check((await test.enrol()).code)
    await test.enrol()
    expect(await test.storage.oneTimeCodes.spend(use)).toBe(false)
  })

  it('is issued to known users who are not disabled', async () => {
    const test = await prepare()
    await expect(test.countersign.users.enrol({ email: 'nobody@example.test' })).rejects.toThrow(UserNotFound)
    await test.countersign.users.disable({ email: test.user.email })
    await expect(test.enrol()).rejects.toThrow(UserRefused)
  })

  it('is logged as an event, without the code', async () => {
    const test = await prepare()
    const { code } = await test.enrol()
    const told = test.logger.entries.find(({ event }) => event === 'one_time_code_issued')
    expect(told?.fields).toMatchObject({ userId: test.user.id, kind: 'enrolment' })
    expect(JSON.stringify(test.logger.entries)).not.toContain(code)
  })
})
