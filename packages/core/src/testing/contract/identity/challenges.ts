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

    it('of a user are consumed by exactly one of concurrent callers', async () => {
      const { challenges } = storage()
      const user = await givenUser(storage())
      const challenge = aChallenge('device_registration', { userId: user.id })
      await challenges.issue(challenge)
      const outcomes = await atOnce(50, () => challenges.consume(challenge.id, 'device_registration', user.id, later))
      expect(outcomes.filter((outcome) => outcome !== undefined)).toStrictEqual([challenge])
      expect(await challenges.consume(challenge.id, 'device_registration', user.id, later)).toBeUndefined()
    })
  })
}
