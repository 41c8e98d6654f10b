import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aChallenge } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'
import { givenUser } from '../given.ts'
import { hostileTexts } from '../hostile-texts.ts'

const later = clockStart + 1234

export const challengesContract = (storage: () => FullStorage): void => {
  describe('challenges', () => {
    it('are returned as they were issued, for their purpose and user', async () => {
      const { challenges } = storage()
      const user = await givenUser(storage())
      const registration = aChallenge('device_registration', { userId: user.id })
      const login = aChallenge('device_login')
      await challenges.issue(registration)
      await challenges.issue(login)
      expect(await challenges.consume(registration.id, 'device_registration', user.id, later)).toStrictEqual(registration)
      expect(await challenges.consume(login.id, 'device_login', null, later)).toStrictEqual(login)
    })

    it('cannot be consumed twice', async () => {
      const { challenges } = storage()
      const challenge = aChallenge('device_login')
      await challenges.issue(challenge)
      await challenges.consume(challenge.id, 'device_login', null, later)
      expect(await challenges.consume(challenge.id, 'device_login', null, later)).toBeUndefined()
    })

    it('are consumed by exactly one of concurrent callers', async () => {
      const { challenges } = storage()
      const challenge = aChallenge('device_login')
      await challenges.issue(challenge)
      const outcomes = await atOnce(50, () => challenges.consume(challenge.id, 'device_login', null, later))
      expect(outcomes.filter((outcome) => outcome !== undefined)).toStrictEqual([challenge])
    })

    it('are not consumed for another purpose or user', async () => {
      const { challenges } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const registration = aChallenge('device_registration', { userId: user.id })
      await challenges.issue(registration)
      expect(await challenges.consume(registration.id, 'device_login', user.id, later)).toBeUndefined()
      expect(await challenges.consume(registration.id, 'device_registration', other.id, later)).toBeUndefined()
      expect(await challenges.consume(registration.id, 'device_registration', null, later)).toBeUndefined()
      expect(await challenges.consume(registration.id, 'device_registration', user.id, later)).toStrictEqual(registration)
    })

    it('without a user are not consumed for a user', async () => {
      const { challenges } = storage()
      const user = await givenUser(storage())
      const login = aChallenge('device_login')
      await challenges.issue(login)
      expect(await challenges.consume(login.id, 'device_login', user.id, later)).toBeUndefined()
      expect(await challenges.consume(login.id, 'device_login', null, later)).toStrictEqual(login)
    })

    it('can be consumed before `expiresAt`, and not from that millisecond on', async () => {
      const { challenges } = storage()
      const challenge = aChallenge('device_login')
      await challenges.issue(challenge)
      expect(await challenges.consume(challenge.id, 'device_login', null, challenge.expiresAt)).toBeUndefined()
      const tooLate = aChallenge('device_login')
      await challenges.issue(tooLate)
      expect(await challenges.consume(tooLate.id, 'device_login', null, tooLate.expiresAt - 1)).toStrictEqual(tooLate)
    })

    it('are consumed one at a time, and others stay', async () => {
      const { challenges } = storage()
      const [one, other] = [aChallenge('device_login'), aChallenge('device_login')]
      await challenges.issue(one)
      await challenges.issue(other)
      await challenges.consume(one.id, 'device_login', null, later)
      expect(await challenges.consume(other.id, 'device_login', null, later)).toStrictEqual(other)
    })

    it('of a user are consumed by exactly one of concurrent callers', async () => {
      const { challenges } = storage()
      const user = await givenUser(storage())
      const challenge = aChallenge('device_registration', { userId: user.id })
      await challenges.issue(challenge)
      const outcomes = await atOnce(50, () => challenges.consume(challenge.id, 'device_registration', user.id, later))
      expect(outcomes.filter((outcome) => outcome !== undefined)).toStrictEqual([challenge])
      expect(await challenges.consume(challenge.id, 'device_registration', user.id, later)).toBeUndefined()
    })

    it('of a user are known as issued, also when used or expired', async () => {
      const { challenges } = storage()
      const user = await givenUser(storage())
      const used = aChallenge('device_registration', { userId: user.id })
      const expired = aChallenge('device_registration', { userId: user.id })
      for (const challenge of [used, expired]) {
        await challenges.issue(challenge)
        expect(await challenges.wasIssued(challenge.id, 'device_registration', user.id)).toBe(true)
      }
      await challenges.consume(used.id, 'device_registration', user.id, later)
      await challenges.consume(expired.id, 'device_registration', user.id, expired.expiresAt)
      for (const { id } of [used, expired]) {
        expect(await challenges.wasIssued(id, 'device_registration', user.id)).toBe(true)
      }
    })

    it('of another user, of another purpose or without user were not issued to a user', async () => {
      const { challenges } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const registration = aChallenge('device_registration', { userId: user.id })
      const login = aChallenge('device_login')
      await challenges.issue(registration)
      await challenges.issue(login)
      for (const use of [false, true]) {
        if (use) await challenges.consume(registration.id, 'device_registration', user.id, later)
        expect(await challenges.wasIssued(registration.id, 'device_registration', other.id)).toBe(false)
        expect(await challenges.wasIssued(registration.id, 'passkey_registration', user.id)).toBe(false)
      }
      expect(await challenges.wasIssued(login.id, 'device_login', user.id)).toBe(false)
      expect(await challenges.wasIssued(aChallenge('device_login').id, 'device_registration', user.id)).toBe(false)
    })

    it('are undefined for an unknown id', async () => {
      expect(await storage().challenges.consume(aChallenge('device_login').id, 'device_login', null, later)).toBeUndefined()
    })

    it.each(hostileTexts)('store this text unchanged: %j', async (text) => {
      const { challenges } = storage()
      const user = await givenUser(storage())
      const login = aChallenge('device_login', { subject: { deviceFingerprint: text } })
      const { subject } = aChallenge('device_registration')
      const registration = aChallenge('device_registration', {
        userId: user.id,
        subject: { ...subject, deviceName: text, deviceFingerprint: text },
      })
      await challenges.issue(login)
      await challenges.issue(registration)
      expect(await challenges.consume(login.id, 'device_login', null, later)).toStrictEqual(login)
      expect(await challenges.consume(registration.id, 'device_registration', user.id, later)).toStrictEqual(registration)
    })
  })
}
