import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aChallenge } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'
import { givenUser } from '../given.ts'

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

    it('are consumed by exactly one of concurrent callers', async () => {
      const { challenges } = storage()
      const challenge = aChallenge('device_login')
      await challenges.issue(challenge)
      const outcomes = await atOnce(50, () => challenges.consume(challenge.id, 'device_login', null, later))
      expect(outcomes.filter((outcome) => outcome !== undefined)).toStrictEqual([challenge])
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
  })
}
